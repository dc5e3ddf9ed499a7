package host

import (
	"context"
	"math"
	"slices"

	"pawl/agent"
	"pawl/export/book"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/lifecycle"
)

// contextRecorded is what filled the context of a recorded session at its end, as far as the record
// says.
func contextRecorded(ctx context.Context, b *base.Base, t *stored.Recording, session lifecycle.SessionID) (agent.Context, error) {
	c := agent.Context{Unknown: "not recorded; what the provider counted beyond the conversation"}
	runs, err := t.Source.Runs(ctx, t.Source.Session.ID, 0, math.MaxInt)
	if err != nil {
		return c, err
	}
	if run, ran := (lifecycle.Snapshot{Runs: runs}).Latest(session); ran {
		c.Model, c.Limit = run.Model, int64(b.Models.Info(run.Model).Context)
	}
	var spoken []agent.Spoken
	all := (&book.Book{Source: t.Source, Upto: t.Upto}).Messages(ctx, session)
	for m, err := range all {
		if err != nil {
			return c, err
		}
		spoken = append(spoken, spokenOf(m))
		if m.Kind == lifecycle.EntryRewind {
			spoken = append(spoken[:min(m.Keep, len(spoken)-1)], spoken[len(spoken)-1])
		}
	}
	from := 0
	for i, one := range slices.Backward(spoken) {
		if one.Kind == lifecycle.EntrySummary {
			from = i
			break
		}
	}
	c.Parts = agent.ConversationOf(spoken[from:])
	return c, nil
}

// spokenOf is an exported message as the model had it. Of a picture only its size is known.
func spokenOf(m book.Message) agent.Spoken {
	spoken := agent.Spoken{Kind: m.Kind, Message: agent.Message{Role: m.Role}}
	for _, p := range m.Parts {
		images := make([]agent.Image, len(p.Images))
		part := agent.Part{Text: p.Text}
		switch p.Type {
		case book.PartThinking:
			part = agent.Part{Thinking: &agent.Thinking{Text: p.Text}}
		case book.PartCall:
			part = agent.Part{Call: &agent.Call{ID: p.Call, Name: p.Name, Input: p.Input}}
		case book.PartResult:
			part = agent.Part{Result: &agent.CallResult{Call: p.Call, Name: p.Name, Text: p.Text, Images: images}}
			for _, one := range p.Instructions {
				part.Result.Instructions = append(part.Result.Instructions, agent.Instruction{Source: one.Source, Text: one.Text, Note: one.Note})
			}
		case book.PartSearch:
			part = agent.Part{Search: &agent.Search{Searched: lifecycle.Searched{Found: p.Found, Cited: p.Cited}}}
		case book.PartImage:
			part = agent.Part{Image: new(agent.Image)}
		}
		spoken.Parts = append(spoken.Parts, part)
	}
	return spoken
}
