package openai

import (
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
)

// requestForm says what a request leaves out and which reasoning it sends back. It is a
// snapshot: concurrent requests may learn more.
type requestForm struct {
	without       omission
	searches      bool
	sentReasoning []string // ids of reasoning
}

func (p *Provider) form(req agent.Request) requestForm {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := requestForm{without: p.without[req.Model]}
	_, f.searches, _ = p.searchOf(req)
	for _, m := range req.Messages {
		for _, part := range m.Parts {
			if t := part.Thinking; t != nil && t.Provider == name && t.ID != phaseID && !p.unreadable[t.ID] {
				f.sentReasoning = append(f.sentReasoning, t.ID)
			}
		}
	}
	return f
}

// learn reports whether a request that was refused in this form is worth retrying in
// another. That holds for each of several that were refused at once.
func (p *Provider) learn(req agent.Request, sent requestForm, err error) bool {
	if sent.searches && p.refusesSearch(req.Model, err) {
		return true
	}
	said, ok := wire.Objection(err)
	if !ok {
		return false
	}
	if wire.AboutEffort(said) && p.efforts.Refused(req.Model, req.Effort) {
		return true
	}
	model := req.Model
	p.mu.Lock()
	defer p.mu.Unlock()
	without := p.without[model]
	switch {
	case said.Code == "invalid_encrypted_content" || strings.Contains(said.Message, "could not be verified"):
		// It belongs to another server: the session moved to another key or address, and
		// continues without it.
		for _, id := range sent.sentReasoning {
			p.unreadable[id] = true
		}
		return len(sent.sentReasoning) > 0
	case strings.HasPrefix(said.Param, "reasoning") && !sent.without.summary:
		without.summary = true
	case (said.Param == "include" || strings.Contains(said.Message, "ncrypted content")) && !sent.without.encrypted:
		without.encrypted = true
	default:
		return false
	}
	p.without[model] = without
	return true
}
