package anthropic

import (
	"cmp"
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
	client  sdk.Client
	peer    wire.Peer
	now     func() time.Time
	lessons *lessons
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
	return &Provider{
		client: sdk.NewClient(options...), peer: wire.Peer{Name: "Anthropic", Key: opts.Key}, now: time.Now, lessons: newLessons(),
	}
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
		sent := p.lessons.heed(req)
		answer, err := p.once(ctx, sent, on)
		if err == nil || !p.learn(sent, err) {
			return answer, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	params, err := request(req)
	if err != nil {
		return agent.Response{}, err
	}
	a := answer{on: on, peer: p.peer, ids: wire.CallIDsOf(req.Messages)}
	if err := p.read(ctx, params, &a); err != nil {
		return agent.Response{Usage: a.usage.neutral()}, p.failure(ctx, err)
	}
	return a.response()
}

// read feeds the answer until it is whole.
func (p *Provider) read(ctx context.Context, params sdk.MessageNewParams, a *answer) error {
	life := wire.NewPulse(p.now, func() { a.on(agent.Delta{}) })
	var body *wire.Body
	watch := func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		res, err := next(req)
		if err == nil && res.StatusCode == http.StatusOK {
			res.Body = life.Body(res.Body)
			body = wire.Clean(res, keys(), true, func(event []byte) bool { return a.piece(event, life) })
		}
		return res, err
	}
	stream := p.client.Messages.NewStreaming(ctx, params, append(between(params), option.WithMiddleware(watch))...)
	defer func() { _ = stream.Close() }() // nothing is left to be told of it
	for stream.Next() {
		life.Step()
		if err := a.add(stream.Current()); err != nil {
			return err
		}
		if a.done {
			return body.Settle()
		}
	}
	return cmp.Or(stream.Err(), wire.ErrCut)
}

func (p *Provider) ready() error {
	if p.peer.Key == "" {
		return p.peer.Keyless("ANTHROPIC_API_KEY")
	}
	return nil
}
