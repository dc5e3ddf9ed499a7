package anthropic

import (
	"log/slog"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/agent/wire"
)

// lessons hold what the server has refused about thinking and effort, for the life of a provider.
type lessons struct {
	efforts  wire.Efforts
	searches wire.Searches

	mu                sync.Mutex
	noThinking        map[string]bool // models that are not asked to think
	droppedSignatures map[string]bool // signatures of thinking that is not sent back
}

// apply returns a copy of a request without what was refused before.
func (l *lessons) apply(req agent.Request) agent.Request {
	if l.searches.Refused(req.Model) {
		req.Search = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.noThinking[req.Model] {
		req.Thinking = agent.Unable
	}
	if len(l.droppedSignatures) == 0 {
		return req
	}
	req.Messages = slices.Clone(req.Messages)
	for i, m := range req.Messages {
		req.Messages[i].Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(part agent.Part) bool {
			return part.Thinking != nil && l.droppedSignatures[part.Thinking.Signature]
		})
	}
	return req
}

// stopAsking reports whether the request as sent asked for thinking. If so, its model is
// not asked again.
func (l *lessons) stopAsking(sent agent.Request) bool {
	if sent.Thinking != agent.Able {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noThinking[sent.Model] = true
	return true
}

// dropThinking reports whether the request as sent had thinking in its history. None of
// that is sent again, because what remained would depend on what is missing.
func (l *lessons) dropThinking(sent agent.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	some := false
	for _, m := range sent.Messages {
		for _, part := range m.Parts {
			if part.Thinking == nil {
				continue
			}
			if _, back := thinkingBlock(*part.Thinking); back {
				l.droppedSignatures[part.Thinking.Signature], some = true, true
			}
		}
	}
	return some
}

// learn reports whether a refused request, sent with all lessons so far, is worth retrying
// in another form: without asking for thinking or, if the server names a message, without
// the thinking in its history. That thinking is bound to the system prompt, tools and key
// of its time; if those have changed, the API wants it left out.
func (p *Provider) learn(sent agent.Request, err error) bool {
	if sent.Search != nil && p.lessons.searches.Learn(sent.Model, err, searchName, "web search") {
		slog.Warn("Anthropic refused searches of the web; the model is not offered them any more", "model", sent.Model, "error", err)
		return true
	}
	if p.refusesEffort(sent, err) {
		slog.Warn("Anthropic refused this effort; the model is not asked for it any more", "model", sent.Model, "error", err)
		return true
	}
	said, ok := objection(err)
	if !ok {
		return false
	}
	if strings.Contains(said, "messages.") && p.lessons.dropThinking(sent) {
		slog.Warn("Anthropic refused earlier thinking; it does not go back", "model", sent.Model, "error", err)
		return true
	}
	if p.lessons.stopAsking(sent) {
		slog.Warn("Anthropic refused to think; this model is not asked any more", "model", sent.Model, "error", err)
		return true
	}
	return false
}

// refusesEffort reports whether a server objects to the effort of a request as sent, and
// remembers that. What it says against thinking may name effort as the better way.
func (p *Provider) refusesEffort(sent agent.Request, err error) bool {
	said, ok := wire.Objection(err)
	return ok && wire.AboutEffort(said, "output_config") && !strings.Contains(said.Message, "thinking.type") &&
		!budgeted(sent.Model) && p.lessons.efforts.Refused(sent.Model, sent.Effort)
}

// objection returns what a server says against the thinking in a request.
func objection(err error) (said string, ok bool) {
	refused, ok := wire.Objection(err)
	said = strings.ToLower(refused.Message)
	if !ok || wire.TooLong(said) {
		return "", false
	}
	about := func(word string) bool { return strings.Contains(said, word) }
	return said, slices.ContainsFunc([]string{"thinking", "budget_tokens", "interleaved"}, about)
}
