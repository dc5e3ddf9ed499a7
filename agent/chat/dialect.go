package chat

import (
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
)

// dialect is how a server wants to be asked for one model: what it said about
// earlier requests. The zero value asks for all.
type dialect struct {
	noUsage     bool // it does not know stream_options
	noReasoning bool // it does not take its reasoning back
	otherLimit  bool // max_tokens where max_completion_tokens was sent, or the reverse
}

func (p *Provider) dialect(model string) dialect {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialects[model]
}

// learn reads a refusal of a request that was made in dialect d, and says whether
// the request is worth making again in another one. Each thing is learnt once, so
// this ends.
func (p *Provider) learn(req agent.Request, d dialect, err error) bool {
	said, ok := wire.Objection(err)
	if !ok {
		return false
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

// limit names the field for the longest answer. OpenAI's newer models know only
// the new name, most other servers only the old one.
func (p *Provider) limit(d dialect) string {
	if p.official() != d.otherLimit {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (p *Provider) sendsReasoning(req agent.Request) bool {
	for _, m := range req.Messages {
		if _, text := p.reasoning(m); text != "" {
			return true
		}
	}
	return false
}
