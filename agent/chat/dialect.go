package chat

import (
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
)

// dialect is how a server wants requests for one model, as learnt from earlier refusals.
// The zero value asks for everything.
type dialect struct {
	noUsage     bool // it does not know stream_options
	noReasoning bool // it refuses its reasoning in the history
	otherLimit  bool // it wants max_tokens for max_completion_tokens, or the reverse
}

func (p *Provider) dialect(model string) dialect {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialects[model]
}

// learn reports whether a request refused in dialect d is worth retrying in another, and
// remembers that one. Each fact is learnt once, so this ends.
func (p *Provider) learn(req agent.Request, d dialect, err error) bool {
	said, ok := wire.Objection(err)
	if !ok {
		return false
	}
	if wire.AboutEffort(said, "support thinking") && p.efforts.Refused(req.Model, req.Effort) { // thinking in Ollama's words
		return true
	}
	words := strings.ToLower(said.Message + " " + said.Param)
	switch {
	case strings.Contains(words, "stream_options") && !d.noUsage:
		d.noUsage = true
	case strings.Contains(words, "max_completion_tokens") && req.MaxTokens > 0 && !d.otherLimit:
		d.otherLimit = true
	case strings.Contains(words, "reasoning") && !strings.Contains(words, "missing") && !d.noReasoning && p.sendsReasoning(req):
		d.noReasoning = true
	default:
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialects[req.Model] = d
	return true
}

// limit is the name of the field for the longest answer. OpenAI's newer models accept only
// the new name, most other servers only the old one.
func (p *Provider) limit(d dialect) string {
	if p.official() != d.otherLimit {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (p *Provider) sendsReasoning(req agent.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m agent.Message) bool {
		_, text := p.reasoning(m)
		return text != ""
	})
}
