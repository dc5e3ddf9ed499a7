package script

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"strings"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// providerName stands on what a scripted model wrote.
const providerName = "demo"

// Provider lets a Model speak as a real one does: it waits, then streams its
// answer word by word. It keeps nothing, so one serves all runs at once.
type Provider struct {
	model Model
	pace  Pace
}

var _ agent.Provider = (*Provider)(nil)

// New makes the provider of one model.
func New(model Model, pace Pace) *Provider {
	if model == nil {
		panic("script: New without a model")
	}
	return &Provider{model: model, pace: pace}
}

// Stream answers as agent.Provider says. It returns the moment ctx ends, with
// ctx's error, whatever it waits for. An error of the model comes back as an
// *agent.ProviderError.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	turn := p.model(req)
	if err := p.speak(ctx, turn, seed(req), on); err != nil {
		return agent.Response{}, err
	}
	if turn.Err != nil {
		return agent.Response{}, asProviderError(turn.Err)
	}
	answer := message(turn)
	return agent.Response{Message: answer, Stop: turn.stop(), Usage: usage(req, answer)}, nil
}

// speak streams a turn.
func (p *Provider) speak(ctx context.Context, turn Turn, seed uint64, on func(agent.Delta)) error {
	latency := turn.Latency
	if latency == 0 {
		latency = p.pace.latency(seed)
	}
	if err := wait(ctx, latency); err != nil {
		return err
	}
	thoughts, words := split(turn.Thinking), split(turn.Text)
	pause := p.pace.word(len(thoughts) + len(words))
	for _, word := range thoughts {
		on(agent.Delta{Thinking: word})
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
	for _, word := range words {
		on(agent.Delta{Text: word})
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
	for _, call := range turn.Calls {
		on(agent.Delta{Call: call.Name})
		if err := wait(ctx, p.pace.words(callWords)); err != nil {
			return err
		}
	}
	return wait(ctx, turn.Stall)
}

// wait returns after d, or with ctx's error as soon as ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// split cuts text into its words, each with the white space behind it: joined,
// they are the text again.
func split(text string) []string {
	var words []string
	for text != "" {
		lead := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		end := strings.IndexAny(text[lead:], " \t\r\n")
		if end < 0 {
			return append(words, text)
		}
		end += lead
		end += len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r\n"))
		words = append(words, text[:end])
		text = text[end:]
	}
	return words
}

// message is a turn as it stands in the transcript.
func message(turn Turn) agent.Message {
	m := agent.Message{Role: agent.RoleAssistant}
	if turn.Thinking != "" {
		m.Parts = append(m.Parts, agent.Part{Thinking: &agent.Thinking{Text: turn.Thinking, Provider: providerName}})
	}
	if turn.Text != "" {
		m.Parts = append(m.Parts, agent.Part{Text: turn.Text})
	}
	for _, call := range turn.Calls {
		if call.ID == "" {
			call.ID = lifecycle.NewCallID()
		}
		if call.Input == nil {
			call.Input = json.RawMessage("{}")
		}
		m.Parts = append(m.Parts, agent.Part{Call: &call})
	}
	return m
}

func asProviderError(err error) error {
	var failed *agent.ProviderError
	if errors.As(err, &failed) {
		return failed
	}
	return &agent.ProviderError{Kind: lifecycle.FailProvider, Message: err.Error(), Err: err}
}

// seed tells requests apart that stand at different places or in different sessions.
func seed(req agent.Request) uint64 {
	h := fnv.New64a()
	for _, m := range req.Messages {
		_, _ = h.Write([]byte(m.Text()))
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}
