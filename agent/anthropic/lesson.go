package anthropic

import (
	"log/slog"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/agent/wire"
)

// lessons are what the server took amiss about thinking, for the life of a provider.
type lessons struct {
	mu                sync.Mutex
	noThinking        map[string]bool // models that are not asked to think
	droppedSignatures map[string]bool // signatures of thinking that does not go back
}

func newLessons() *lessons {
	return &lessons{noThinking: map[string]bool{}, droppedSignatures: map[string]bool{}}
}

// apply leaves out of a request what was refused before. The request given stays as
// it is.
func (l *lessons) apply(req agent.Request) agent.Request {
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

// stopAsking says whether the request as it was sent asked for thinking. Its model is not
// asked from now on.
func (l *lessons) stopAsking(sent agent.Request) bool {
	if sent.Thinking != agent.Able {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noThinking[sent.Model] = true
	return true
}

// dropThinking says whether thinking went back in the request as it was sent. None of it
// does from now on: what remained would be bound to what is missing.
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

// learn says whether a request that was refused as it was sent, with all lessons so
// far, is worth making in another form: without the wish for thinking, or without the
// thinking in its history where the server names a message. That is bound to the
// system prompt, the tools and the key of its time; when those have changed, the API
// wants to be asked again without it.
func (p *Provider) learn(sent agent.Request, err error) bool {
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

// objection is what a server says against a request because of thinking.
func objection(err error) (said string, ok bool) {
	refused, ok := wire.Objection(err)
	said = strings.ToLower(refused.Message)
	if !ok || wire.TooLong(said) {
		return "", false
	}
	about := func(word string) bool { return strings.Contains(said, word) }
	return said, slices.ContainsFunc([]string{"thinking", "budget_tokens", "interleaved"}, about)
}
