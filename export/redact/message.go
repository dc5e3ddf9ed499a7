package redact

import (
	"encoding/json"

	"pawl/agent"
	"pawl/export/book"
)

// message is an entry of a transcript without its texts. What runs stand on its calls
// comes from bare records.
func (b *bared) message(m book.Message) book.Message {
	without := book.Message{
		Kind: bareWord(m.Kind), Role: bareWord(m.Role), Run: bareID(b, m.Run), From: bareWord(m.From),
		Message: bareID(b, m.Message), Source: bareID(b, m.Source), Keep: m.Keep, Parts: []book.Part{},
	}
	for _, p := range m.Parts {
		piece := book.Part{
			Type: bareWord(p.Type), Text: b.text(p.Text), Redacted: p.Redacted,
			Call: bareID(b, p.Call), Name: b.tool(p.Name), Input: b.raw(p.Input), IsError: p.IsError,
		}
		for _, picture := range p.Images {
			piece.Images = append(piece.Images, b.image(picture))
		}
		for _, one := range p.Instructions {
			piece.Instructions = append(piece.Instructions, book.Instruction{Source: b.text(one.Source), Text: b.text(one.Text), Note: b.text(one.Note)})
		}
		piece.Found, piece.Cited = b.pages(p.Found), b.pages(p.Cited)
		without.Parts = append(without.Parts, piece)
	}
	return without
}

// view is what people were shown, without its texts; one that cannot be read is left out.
func (b *bared) view(stored json.RawMessage) json.RawMessage {
	view, err := agent.DecodeView(stored)
	if err != nil || view == nil {
		return nil
	}
	switch v := view.(type) {
	case agent.PlainView:
		view = agent.PlainView{Text: b.text(v.Text)}
	case agent.CommandView:
		view = agent.CommandView{Command: b.text(v.Command), Output: b.text(v.Output), ExitCode: v.ExitCode, Note: b.text(v.Note)}
	case agent.DiffView:
		view = agent.DiffView{Path: b.text(v.Path), Diff: b.text(v.Diff), Added: v.Added, Removed: v.Removed, New: v.New}
	case agent.ListingView:
		view = agent.ListingView{Title: b.text(v.Title), Items: b.texts(v.Items), Total: v.Total}
	case agent.TodoView:
		var items []agent.TodoItem
		for _, item := range v.Items {
			items = append(items, agent.TodoItem{Text: b.text(item.Text), State: bareWord(item.State)})
		}
		view = agent.TodoView{Items: items}
	case agent.RunView:
		view = agent.RunView{Session: b.session(v.Session), Run: bareID(b, v.Run)}
	}
	return agent.EncodeView(view)
}
