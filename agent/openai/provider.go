package openai

import (
	"context"
	"net/http"
	"sync"

	"pawl/agent"
	"pawl/agent/wire"
)

// name marks the reasoning that this provider wrote.
const name = "openai"

// officialURL is where OpenAI is.
const officialURL = "https://api.openai.com/v1"

// Options say where to ask and with whose key.
type Options struct {
	Key        string       // empty sends none, for servers that want none
	BaseURL    string       // empty is OpenAI's own
	HTTPClient *http.Client // nil is one of its own
}

// Provider asks models through the Responses API. It is safe from any goroutine.
type Provider struct {
	server wire.Server

	mu         sync.Mutex
	without    map[string]omission // by model, what it refused
	unreadable map[string]bool     // ids of reasoning that the server cannot read
}

var _ agent.Provider = (*Provider)(nil)

// omission is what a model does not take in a request. A server says so once.
type omission struct {
	summary   bool // a summary of its reasoning
	encrypted bool // a wish for the reasoning in encrypted form
}

// New makes a provider. It opens nothing.
func New(opts Options) *Provider {
	p := &Provider{
		server:     wire.NewServer(opts.BaseURL, officialURL, opts.Key, opts.HTTPClient),
		without:    map[string]omission{},
		unreadable: map[string]bool{},
	}
	p.server.Name = wire.NameOf("OpenAI", officialURL, "the server", p.server.Base)
	if opts.Key != "" {
		p.server.Header.Set("Authorization", "Bearer "+opts.Key)
	}
	return p
}

// Stream implements agent.Provider. A request that the server refuses because of
// something it could do without is made again without that: this is no retry, it
// is another question, and what was learnt holds for the life of the provider.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	for {
		sent := p.form(req)
		answer, err := p.once(ctx, req, on)
		if err == nil || !p.learn(req.Model, sent, err) {
			return answer, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if on == nil {
		on = func(agent.Delta) {}
	}
	a := &answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages)}
	question := wire.Question{Path: "/responses", Body: p.request(req), Keys: keys()}
	if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
		return agent.Response{Usage: a.response.Usage}, err
	}
	return a.response, nil
}
