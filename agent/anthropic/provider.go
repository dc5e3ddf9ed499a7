package anthropic

import (
	"context"
	"net/http"

	"pawl/agent"
	"pawl/agent/wire"
)

// Name is this provider's in "provider/name", and in Thinking.Provider.
const Name = "anthropic"

// Where Anthropic is, and which version of its API is spoken.
const (
	officialURL = "https://api.anthropic.com"
	version     = "2023-06-01"
)

// Options say which server to ask, as whom.
type Options struct {
	Key        string       // ANTHROPIC_API_KEY
	BaseURL    string       // ANTHROPIC_BASE_URL; empty is Anthropic's own
	HTTPClient *http.Client // nil is one of its own
}

// Provider asks Claude models. It is safe from any goroutine. It reads no
// environment: all it knows is in its Options.
type Provider struct {
	server  wire.Server
	lessons *lessons
}

// New makes a provider. It connects to nothing; without a key every request
// fails with a line that says what to set.
func New(opts Options) *Provider {
	server := wire.NewServer(opts.BaseURL, officialURL, opts.Key, opts.HTTPClient)
	server.Name = "Anthropic"
	server.Header.Set("X-Api-Key", opts.Key)
	server.Header.Set("Anthropic-Version", version)
	return &Provider{server: server, lessons: newLessons()}
}

// Stream implements agent.Provider. While bytes come that carry no piece of the
// answer, on gets an empty Delta every few seconds as a sign of life. A request that
// the server refuses because of thinking is made again without: this is no retry, it
// is another question, and what was learnt holds for the life of the provider.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if err := p.ready(); err != nil {
		return agent.Response{}, err
	}
	for {
		sent := p.lessons.apply(req)
		answer, err := p.once(ctx, sent, on)
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
	a := answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages)}
	question := wire.Question{Path: "/v1/messages", Header: interleavedHeader(body), Body: body, Keys: keys()}
	if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
		return agent.Response{Usage: a.usage.neutral()}, err
	}
	return a.response()
}

func (p *Provider) ready() error {
	if p.server.Key == "" {
		return p.server.MissingKey("ANTHROPIC_API_KEY")
	}
	return nil
}
