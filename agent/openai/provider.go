package openai

import (
	"cmp"
	"context"
	"sync"

	"pawl/agent"
	"pawl/agent/wire"
)

// name marks the reasoning of this provider.
const name = "openai"

// officialURL is OpenAI's address.
const officialURL = "https://api.openai.com/v1"

// Options say which server to ask, and with which key.
type Options = wire.Options

// Provider asks models through the Responses API. It is safe for concurrent use.
type Provider struct {
	server   wire.Server
	efforts  wire.Efforts
	searches wire.Searches

	mu         sync.Mutex
	without    map[string]omission // by model: what it refused
	unreadable map[string]bool     // ids of reasoning that the server cannot decrypt
}

var _ agent.Provider = (*Provider)(nil)

// omission is what a model refuses in a request. A server says so once.
type omission struct {
	summary   bool // a summary of the reasoning
	encrypted bool // the reasoning in encrypted form
}

// New returns a provider. It does not connect.
func New(opts Options) *Provider {
	p := &Provider{
		server:     wire.NewServer(opts, officialURL),
		without:    map[string]omission{},
		unreadable: map[string]bool{},
	}
	p.server.Name = cmp.Or(opts.Named, wire.NameOf("OpenAI", officialURL, "the server", p.server.Base))
	p.server.SetKey(opts, "Authorization", "Bearer ")
	return p
}

// Stream implements agent.Provider. A request that is refused because of something optional is
// sent again without it. That is a different request, not a retry, and what was learnt is kept.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	asked := req.Effort
	for {
		sent := p.form(req)
		var instead string
		req.Effort, instead = p.efforts.Fit(req.Model, asked)
		answer, err := p.once(ctx, req, on)
		answer.Effort, answer.NoEffort = req.Effort, instead
		_, _, answer.NoSearch = p.searchOf(req)
		if err == nil || !p.learn(req, sent, err) {
			return answer, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	a := &answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages)}
	question := wire.Question{Path: "/responses", Body: p.request(req), Keys: keys()}
	if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
		return agent.Response{Usage: a.response.Usage}, err
	}
	return a.response, nil
}
