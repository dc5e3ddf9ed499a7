package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// answer collects the events of one stream. Pieces come first and are passed on at once. The
// finished item repeats them, and so does the final event, which can also hold items that had
// no events of their own. What was lost in one is recovered from the others; see item.resolve.
type answer struct {
	on       func(agent.Delta)
	peer     wire.Peer
	ids      wire.CallIDs
	items    []*item
	refused  bool
	broken   error // what is wrong with a search
	searches int   // that are billed
	response agent.Response
	event    event // the current event, reused because an answer has thousands
}

// item is an output item being received.
type item struct {
	index     int64
	kind      string
	id        string // of the item for reasoning; of the call for a call
	name      string
	signature string
	search    *agent.Search     // of a search of the web
	cited     []json.RawMessage // annotations of a message
	phase     string            // of a message: whether it is the final answer or a comment on the way
	text      strings.Builder   // text, reasoning or arguments
	refusal   string            // the part of the text that is a refusal
	fullTexts []string          // complete versions of the text
	done      bool              // no more pieces follow
	final     bool              // it was in the final event
}

// deltaKind is the kind of item to which an event adds a piece; empty for other events.
func deltaKind(event string) (kind string) {
	switch event {
	case "response.output_text.delta", "response.refusal.delta":
		return "message"
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return "reasoning"
	case "response.function_call_arguments.delta":
		return "function_call"
	}
	return ""
}

// take handles one event. After the final one the response is complete.
func (a *answer) take(data []byte) (wire.Progress, error) {
	e := &a.event
	*e = event{}
	if err := wire.Decode(data, e); err != nil {
		return wire.Nothing, err
	}
	if e.Type == "error" || e.Error != nil && string(e.Error) != "null" {
		return wire.Nothing, a.peer.Judge(wire.ReadFault(data), 0, 0)
	}
	switch e.Type {
	case "response.output_item.added":
		a.begin(e.Index, e.Item)
	case "response.output_item.done":
		a.finish(a.find(e.Index, e.Item.Type), e.Item)
	case "response.reasoning_summary_part.added":
		if it := a.find(e.Index, "reasoning"); it.text.Len() > 0 {
			a.say(it, "\n\n")
		}
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		if failed(e) {
			return wire.Nothing, a.failed(e.Response)
		}
		return wire.Last, a.end(e.Response, e.Type == "response.incomplete")
	default:
		if kind := deltaKind(e.Type); kind != "" {
			it := a.find(e.Index, kind)
			if e.Type == "response.refusal.delta" {
				a.refused = true
				it.refusal += e.Delta
			}
			a.say(it, e.Delta)
		}
	}
	if strings.HasPrefix(e.Type, "response.") {
		return wire.Piece, nil
	}
	return wire.Nothing, nil
}

// failed reports whether a final event means that there is no answer. The status in it
// counts as well as its type, because some servers end all answers with the same type.
func failed(final *event) bool {
	status := final.Response.Status
	return status == "failed" || status == "cancelled" || final.Type == "response.failed" || final.Type == "response.cancelled"
}

// failed is the error of an answer that failed.
func (a *answer) failed(final response) error {
	a.response.Usage = final.Usage.tokens()
	e := final.Error
	said := wire.Fault{Message: e.Message, Kind: e.Type, Code: e.Code, Param: e.Param}
	if said.Message == "" && final.Status == "cancelled" {
		said.Message = "it canceled the answer"
	}
	return a.peer.Judge(said, 0, 0)
}

func (a *answer) begin(index int64, of outputItem) *item {
	it := &item{index: index, kind: of.Type, id: of.ID, name: of.Name}
	a.items = append(a.items, it)
	if it.kind == "function_call" {
		it.id = cmp.Or(of.CallID, of.ID)
		a.on(agent.Delta{Call: it.name})
	}
	if it.kind == searchKind {
		a.on(agent.Delta{Call: searchName})
	}
	return it
}

// searchKind is the type of an item that is a search of the web.
const searchKind = "web_search_call"

// searched takes in a finished search, once: the final event repeats it.
func (a *answer) searched(it *item, of outputItem) {
	if it.search != nil || len(of.Action) == 0 {
		return
	}
	var err error
	if it.search, err = searched(cmp.Or(of.ID, it.id), cmp.Or(of.Status, "completed"), of.Action); err != nil {
		a.broken = a.peer.Malformed("what a search did is not an object")
		return
	}
	did := it.search.Searched
	a.on(agent.Delta{Search: &did})
	if did.Opened == "" {
		a.searches++
	}
}

// find returns the open item at an index. If the server never announced it, it is added.
func (a *answer) find(index int64, kind string) *item {
	for _, it := range slices.Backward(a.items) {
		if it.index == index && !it.done {
			return it
		}
	}
	it := &item{index: index, kind: kind}
	a.items = append(a.items, it)
	return it
}

// say adds a piece to an item and passes it on.
func (a *answer) say(it *item, piece string) {
	if piece == "" {
		return
	}
	it.text.WriteString(piece)
	switch it.kind {
	case "message":
		a.on(agent.Delta{Text: piece})
	case "reasoning":
		a.on(agent.Delta{Thinking: piece})
	}
}

// finish adds the complete version of an item. Text that was not streamed is passed on now.
func (a *answer) finish(it *item, of outputItem) {
	it.done = true
	it.kind = cmp.Or(of.Type, it.kind)
	whole := ""
	switch it.kind {
	case "message":
		it.id, it.phase, whole = of.ID, cmp.Or(of.Phase, it.phase), a.content(it, of)
	case "reasoning":
		it.id, it.signature, whole = cmp.Or(of.ID, it.id), cmp.Or(of.Encrypted, it.signature), reasoningText(of)
	case searchKind:
		a.searched(it, of)
	case "function_call":
		if it.name == "" {
			a.on(agent.Delta{Call: of.Name})
		}
		it.id, it.name = cmp.Or(of.CallID, it.id, of.ID), cmp.Or(of.Name, it.name)
		whole = of.Arguments
	}
	if whole == "" {
		return
	}
	it.fullTexts = append(it.fullTexts, whole)
	if missing, streamed := strings.CutPrefix(whole, it.text.String()); streamed {
		a.say(it, missing)
	}
}

// resolve returns the text of an item whose pieces and complete versions may differ. Two
// that agree outvote a third. For reasoning the complete version counts, because servers
// split it in their own ways. ok is false if the right text cannot be known.
func (it *item) resolve() (text string, ok bool) {
	text = it.text.String()
	if len(it.fullTexts) == 0 || slices.Contains(it.fullTexts, text) {
		return text, true
	}
	for _, whole := range it.fullTexts[1:] {
		if whole != it.fullTexts[0] {
			return "", false
		}
	}
	return it.fullTexts[0], len(it.fullTexts) > 1 || it.kind == "reasoning"
}

// content is the text of a message, including a refusal.
func (a *answer) content(it *item, of outputItem) string {
	text, refusal := "", ""
	it.cited = nil
	for _, part := range of.Content {
		for _, raw := range part.Annotations {
			it.cited = append(it.cited, slices.Clone(raw))
		}
		text += part.Text + part.Refusal
		refusal += part.Refusal
		a.refused = a.refused || part.Type == "refusal"
	}
	it.refusal = cmp.Or(refusal, it.refusal)
	return text
}

// reasoningText is the summary of a reasoning item, or the reasoning itself if the server
// shows it.
func reasoningText(of outputItem) string {
	var texts []string
	for _, part := range of.Summary {
		texts = append(texts, part.Text)
	}
	if len(texts) == 0 {
		for _, part := range of.Content {
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// end builds the response from the final event.
func (a *answer) end(final response, incomplete bool) error {
	a.response.Usage = final.Usage.tokens()
	for i, of := range final.Output {
		it := a.findFinal(int64(i), of)
		it.final = true
		a.finish(it, of)
	}
	refusal := ""
	for _, it := range a.items {
		refusal += it.refusal
	}
	m, err := a.message()
	if err != nil {
		return err
	}
	a.response.Message, a.response.Refusal, a.response.Usage.Searches = m, a.peer.Line(refusal), a.searches
	a.response.Stop = a.stop(final, incomplete)
	a.response.Said = lifecycle.Response{
		Model: a.peer.Line(final.Model), ID: a.peer.Line(final.ID), Finish: a.peer.Line(cmp.Or(final.Incomplete.Reason, final.Status)),
	}
	if a.response.Stop == agent.StopUnknown {
		a.response.Refusal = a.peer.Line(final.Incomplete.Reason)
	}
	return nil
}

// findFinal returns the item for an index of the final event. Servers that do not count
// their items give all of them index 0.
func (a *answer) findFinal(index int64, of outputItem) *item {
	var alike *item
	for _, it := range a.items {
		switch {
		case it.final || it.kind != of.Type:
		case it.index == index:
			return it
		case alike == nil && it.index == 0:
			alike = it
		}
	}
	if alike != nil {
		return alike
	}
	return a.begin(index, of)
}

func (a *answer) stop(final response, incomplete bool) agent.StopReason {
	reason := final.Incomplete.Reason
	switch {
	case reason == "max_output_tokens":
		return agent.StopLength
	case reason == "content_filter" || a.refused:
		return agent.StopRefused
	case reason != "" || incomplete || final.Status == "incomplete":
		return agent.StopUnknown
	case len(a.response.Message.Calls()) > 0:
		return agent.StopToolCalls
	}
	return agent.StopEnd
}

// message returns the items as parts, in the order in which the model wrote them.
func (a *answer) message() (agent.Message, error) {
	m := agent.Message{Role: agent.RoleAssistant}
	for _, it := range a.items {
		text, ok := it.resolve()
		if !ok {
			return m, a.peer.Malformed("the pieces of an item and its whole differ")
		}
		switch {
		case it.kind == "function_call":
			m.Parts = append(m.Parts, agent.Part{Call: &agent.Call{ID: a.ids.Take(it.id), Name: it.name, Input: json.RawMessage(text)}})
		case it.kind == "reasoning" && text+it.signature != "":
			m.Parts = append(m.Parts, agent.Part{Thinking: &agent.Thinking{
				Text: text, Signature: it.signature, ID: it.id, Provider: name, Redacted: text == "",
			}})
		case it.kind == "message" && text != "":
			if it.phase != "" {
				m.Parts = append(m.Parts, phasePart(it.phase))
			}
			m.Parts = append(m.Parts, agent.Part{Text: text})
			if part, ok := citing(it.cited); ok {
				m.Parts = append(m.Parts, part)
			}
		case it.search != nil:
			m.Parts = append(m.Parts, agent.Part{Search: it.search})
		}
	}
	return m, a.broken
}
