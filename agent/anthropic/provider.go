package anthropic

import (
	"context"
	"fmt"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"pawl/agent"
	"pawl/lifecycle"
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
	key    string
	now    func() time.Time
}

// New makes a provider. It connects to nothing; without a key every request
// fails with a line that says what to set.
func New(opts Options) *Provider {
	client := opts.HTTPClient
	if client == nil {
		client = httpClient()
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
	return &Provider{client: sdk.NewClient(options...), key: opts.Key, now: time.Now}
}

// headerLimit is how long a server may take until its headers come (section 11
// of the design). How long a stream may be silent is the loop's to say.
const headerLimit = 60 * time.Second

// httpClient is the standard one, with three differences: it gives up on a
// server without headers; it notices a connection that died while the machine
// slept; it follows no redirect, which would carry the key to another host.
func httpClient() *http.Client {
	client := &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the server redirects to %s: set that as the address if it is right", to.URL.Redacted())
	}}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		transport := standard.Clone()
		transport.ResponseHeaderTimeout = headerLimit
		transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
		client.Transport = transport
	}
	return client
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
	a := answer{on: on, taken: taken(req.Messages)}
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
	return agent.Response{}, p.failure(ctx, errCut)
}

// Models lists the names of the models that the server offers, as it orders
// them.
func (p *Provider) Models(ctx context.Context) ([]string, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	var names []string
	pages := p.client.Models.ListAutoPaging(ctx, sdk.ModelListParams{Limit: sdk.Int(1000)})
	for pages.Next() {
		names = append(names, pages.Current().ID)
	}
	if err := pages.Err(); err != nil {
		return nil, p.failure(ctx, err)
	}
	return names, nil
}

func (p *Provider) ready() error {
	if p.key == "" {
		return &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "no key for Anthropic: set ANTHROPIC_API_KEY"}
	}
	return nil
}
