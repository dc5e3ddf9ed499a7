package script

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Pace is the time for one word. All other waits are multiples of it.
type Pace time.Duration

const (
	Default     = Pace(45 * time.Millisecond) // slow enough to read along
	Immediate   = Pace(0)                     // never waits
	callWords   = 10                          // for writing a call
	answerWords = 120                         // a longer answer takes no longer than this many
)

// ParsePace parses a pace: a multiple of Default's speed ("4x", "0.5x"), the time for one
// word ("20ms"), or "0" for Immediate. The error lists these forms.
func ParsePace(text string) (Pace, error) {
	word, err := time.ParseDuration(text)
	if factor, ok := strings.CutSuffix(text, "x"); ok {
		times, wrong := strconv.ParseFloat(factor, 64)
		if word, err = -1, wrong; times > 1e-9 && times < 1e9 {
			word = time.Duration(float64(Default) / times)
		}
	}
	if err != nil || word < 0 || word > time.Minute {
		return 0, fmt.Errorf(`pace %q: must be a factor ("4x" is four times as fast), the time of one word ("20ms"), or 0 for no waiting`, text)
	}
	return Pace(word), nil
}

// wait waits for this many words, or returns ctx's error as soon as ctx ends.
func (p Pace) wait(ctx context.Context, words float64) error {
	if p == Immediate {
		return ctx.Err()
	}
	select {
	case <-time.After(time.Duration(float64(p) * words)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Provider plays a script as a model. It has no state, so one serves all runs at once.
type Provider struct {
	script *Script
	pace   Pace
}

// New returns a provider that plays a script.
func New(script *Script, pace Pace) *Provider { return &Provider{script: script, pace: pace} }

// word matches a word with the white space around it, so that joined words are the text again.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\S+\s*`) })

// Stream implements agent.Provider: it waits, then streams its answer word by word. It
// returns as soon as ctx ends, with ctx's error.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	t := p.script.answer(req)
	text := words.Join("\n\n", t.said...)
	err := p.pace.wait(ctx, float64(30+len(text)%21)) // varies, so that subagents do not move in step
	give := func(d agent.Delta, words float64) {
		if err == nil {
			on(d)
			err = p.pace.wait(ctx, words)
		}
	}
	said := word().FindAllString(text, -1)
	for _, word := range said {
		give(agent.Delta{Text: word}, min(1, answerWords/float64(len(said))))
	}
	m, stop := agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: text}}}, agent.StopEnd
	for _, call := range t.calls {
		give(agent.Delta{Call: call.Name}, callWords)
		call.ID, stop = lifecycle.NewCallID(), agent.StopToolCalls
		m.Parts = append(m.Parts, agent.Part{Call: &call})
	}
	if err != nil {
		return agent.Response{}, err
	}
	in, out := agent.EstimateTokens(req), agent.EstimateTokens(agent.Request{Messages: []agent.Message{m}})
	return agent.Response{Message: m, Stop: stop, Usage: lifecycle.Usage{InputTokens: in, OutputTokens: out}}, nil
}
