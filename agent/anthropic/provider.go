package anthropic

import (
	"context"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"pawl/agent"
	"pawl/agent/wire"
)

// Name is this provider's in "provider/name", and in Thinking.Provider.
const Name = "anthropic"

// Options say which server to ask, as whom.
type Options struct {
	Key        string       // ANTHROPIC_API_KEY
	BaseURL    string       // ANTHROPIC_BASE_URL; empty is Anthropic's own
	HTTPClient *http.Client // nil is one of its own
}

// Provider asks Claude models. It is safe from any goroutine. It reads no
// environment: all it knows is in its Options.
type Provider struct {
	client sdk.Client
	peer   wire.Peer
	now    func() time.Time
}

// New makes a provider. It connects to nothing; without a key every request
// fails with a line that says what to set.
func New(opts Options) *Provider {
	client := opts.HTTPClient
	if client == nil {
		client = wire.Client()
	}
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithHTTPClient(client),
		option.WithMaxRetries(0),
		option.WithAPIKey(opts.Key),
	}
	if opts.BaseURL != "" {
		options = append(options, option.WithBaseURL(opts.BaseURL))
	}
	return &Provider{client: sdk.NewClient(options...), peer: wire.Peer{Name: "Anthropic", Key: opts.Key}, now: time.Now}
}

// Stream implements agent.Provider. While bytes come that carry no piece of the
// answer, on gets an empty Delta every few seconds as a sign of life.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if err := p.ready(); err != nil {
		return agent.Response{}, err
	}
	params, err := request(req)
	if err != nil {
		return agent.Response{}, err
	}
	life := newPulse(p.now, func() { on(agent.Delta{}) })
	stream := p.client.Messages.NewStreaming(ctx, params, option.WithMiddleware(life.attach))
	defer func() { _ = stream.Close() }() // nothing is left to be told of it
	a := answer{on: on, peer: p.peer, ids: wire.CallIDsOf(req.Messages)}
	for !a.done && stream.Next() {
		life.event()
		if err := a.add(stream.Current()); err != nil {
			return agent.Response{}, err
		}
	}
	if a.done {
		return a.response()
	}
	if err := stream.Err(); err != nil {
		return agent.Response{}, p.failure(ctx, err)
	}
	return agent.Response{}, p.failure(ctx, wire.ErrCut)
}

func (p *Provider) ready() error {
	if p.peer.Key == "" {
		return p.peer.Keyless("ANTHROPIC_API_KEY")
	}
	return nil
}
