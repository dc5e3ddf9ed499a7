package gemini

import (
	"context"

	"pawl/agent"
	"pawl/agent/wire"
)

// Name is this provider's name in "provider/name" and in Thinking.Provider.
const Name = "gemini"

// Google's address, and where its key is set.
const (
	officialURL = "https://generativelanguage.googleapis.com"
	keyVariable = "GEMINI_API_KEY"
)

// Options say which server to ask, and with which key, which is required. The address is
// without the API's version.
type Options = wire.Options

// Provider asks Gemini models. It is safe for concurrent use.
type Provider struct {
	server wire.Server
}

var _ agent.Provider = (*Provider)(nil)

// New returns a provider. It does not connect. Without a key every request fails with a
// message that says what to set.
func New(opts Options) *Provider {
	server := wire.NewServer(opts, officialURL)
	server.Name, server.Correct = "Gemini", correct
	server.Header.Set("X-Goog-Api-Key", opts.Key)
	return &Provider{server}
}

// Stream implements agent.Provider. A long answer that the server splits over several
// requests is one answer here.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if err := p.server.NeedsKey(keyVariable); err != nil {
		return agent.Response{}, err
	}
	path, err := path(req.Model)
	if err != nil {
		return agent.Response{}, err
	}
	body, err := newRequest(req)
	if err != nil {
		return agent.Response{}, err
	}
	a := answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages)}
	for more := true; more; body.ContinuationToken, more = a.next() {
		question := wire.Question{Path: path, Body: body, Keys: keys()}
		if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
			return agent.Response{Usage: a.usage.neutral()}, err
		}
	}
	return a.response()
}
