package gemini

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/lifecycle"
)

// Name is this provider's in "provider/name", and in Thinking.Provider.
const Name = "gemini"

// officialURL is said aloud so that the SDK does not look for another address in
// the environment.
const officialURL = "https://generativelanguage.googleapis.com/"

// Options say which server to ask, as whom.
type Options struct {
	Key        string       // GEMINI_API_KEY
	BaseURL    string       // GOOGLE_GEMINI_BASE_URL, without the API's version; empty is Google's own
	HTTPClient *http.Client // nil is one of its own
}

// Provider asks Gemini models. It is safe from any goroutine.
type Provider struct {
	client *genai.Client
	key    string
	broken error // why there is no client
}

// New makes a provider. It connects to nothing; without a key every request
// fails with a line that says what to set. It may write to the standard log, see
// the package's documentation.
func New(opts Options) *Provider {
	p := &Provider{key: opts.Key}
	if opts.Key == "" {
		p.broken = &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "no key for Gemini: set GEMINI_API_KEY"}
		return p
	}
	if opts.BaseURL == "" {
		opts.BaseURL = officialURL
	}
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      opts.Key,
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  behindDoor(opts.HTTPClient),
		HTTPOptions: genai.HTTPOptions{BaseURL: opts.BaseURL},
	})
	if err != nil {
		p.broken = &agent.ProviderError{Kind: lifecycle.FailProvider, Message: p.line("Gemini: " + err.Error()), Err: err}
	}
	p.client = client
	return p
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

// Stream implements agent.Provider. An answer that the server gives in several
// requests, for its length, is one answer here.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if p.broken != nil {
		return agent.Response{}, p.broken
	}
	if err := namable(req.Model); err != nil {
		return agent.Response{}, err
	}
	config, err := config(req)
	if err != nil {
		return agent.Response{}, err
	}
	history := contents(req.Model, req.Messages)
	a := answer{on: on, taken: taken(req.Messages)}
	for {
		if err := p.hop(ctx, req.Model, history, config, &a); err != nil {
			return agent.Response{}, err
		}
		token, more := a.next()
		if !more {
			return a.response()
		}
		config.ContinuationToken = token
	}
}

// hop makes one request of an answer.
func (p *Provider) hop(ctx context.Context, model string, history []*genai.Content, config *genai.GenerateContentConfig, a *answer) error {
	next, stop := iter.Pull2(p.client.Models.GenerateContentStream(ctx, model, history, config))
	defer stop()
	for {
		chunk, more, err := pull(next)
		switch {
		case err != nil:
			return p.failure(ctx, err)
		case !more && ctx.Err() != nil && !a.finished():
			return ctx.Err()
		case !more:
			return nil
		}
		a.add(chunk)
	}
}

// pull takes the next value.
func pull[T any](next func() (T, error, bool)) (value T, more bool, err error) {
	defer guard(&err)
	value, err, more = next()
	return value, more, err
}

// guard, deferred, makes an error of a panic. The SDK panics on JSON of another
// shape than it expects; that is the server's mistake, not Pawl's.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = malformed(fmt.Sprint(r))
	}
}

// Models lists the names of the models that can write text, as the server orders
// them.
func (p *Provider) Models(ctx context.Context) (names []string, err error) {
	if p.broken != nil {
		return nil, p.broken
	}
	defer guard(&err)
	for model, err := range p.client.Models.All(ctx) {
		if err != nil {
			return nil, p.failure(ctx, err)
		}
		if slices.Contains(model.SupportedActions, "generateContent") {
			names = append(names, strings.TrimPrefix(model.Name, "models/"))
		}
	}
	return names, nil
}
