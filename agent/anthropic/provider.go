package anthropic

import (
	"cmp"
	"context"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// Name is this provider's name in "provider/name" and in Thinking.Provider.
const Name = "anthropic"

// Anthropic's address, where its key is set, and the version of the API.
const (
	officialURL = "https://api.anthropic.com"
	keyVariable = "ANTHROPIC_API_KEY"
	version     = "2023-06-01"
)

// Options say which server to ask, and with which key, which is required.
type Options = wire.Options

// Provider asks Claude models. It is safe for concurrent use, and reads no environment
// variables.
type Provider struct {
	server  wire.Server
	lessons *lessons
}

// New returns a provider. It does not connect. Without a key every request fails with a
// message that says what to set.
func New(opts Options) *Provider {
	server := wire.NewServer(opts, officialURL)
	server.Name = cmp.Or(opts.Named, "Anthropic")
	server.SetKey(opts, "X-Api-Key", "")
	server.Header.Set("Anthropic-Version", version)
	return &Provider{server: server, lessons: &lessons{noThinking: map[string]bool{}, droppedSignatures: map[string]bool{}}}
}

// Stream implements agent.Provider. While the answer makes no visible progress, on gets an
// empty Delta every few seconds as a sign of life. A request that is refused because of
// thinking, effort or searches is sent again without it. That is a different request, not a retry, and what
// was learnt is kept.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if err := p.server.NeedsKey(keyVariable); err != nil {
		return agent.Response{}, err
	}
	for {
		sent := p.lessons.apply(req)
		var instead string
		sent.Effort, instead = p.lessons.efforts.Fit(req.Model, req.Effort)
		answer, err := p.once(ctx, sent, on)
		answer.NoEffort = cmp.Or(instead, answer.NoEffort)
		if req.Search != nil && sent.Search == nil {
			answer.NoSearch = wire.NoSearch
		}
		if err == nil || !p.learn(sent, err) {
			return answer, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	body, err := newRequest(req)
	if err != nil {
		return agent.Response{}, err
	}
	var whole agent.Response
	var earlier []lifecycle.Usage
	for range maxPauses {
		a := answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages), paused: begunSearches(whole.Message)}
		question := wire.Question{Path: "/v1/messages", Header: interleavedHeader(body), Body: body, Keys: keys()}
		if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
			return agent.Response{Usage: a.usage.neutral(), Earlier: earlier}, err
		}
		answer, err := a.response()
		if err != nil {
			return agent.Response{Usage: answer.Usage, Earlier: earlier}, err
		}
		answer.Message.Parts, answer.Earlier = append(whole.Message.Parts, answer.Message.Parts...), earlier
		whole, earlier = answer, append(earlier, answer.Usage)
		if a.stop != pausedTurn || req.Search == nil {
			break
		}
		body.resume(req.Messages, whole.Message)
	}
	whole.Effort, whole.NoEffort = body.effort(req)
	return whole, nil
}

// maxPauses bounds how often an answer is continued.
const maxPauses = 10
