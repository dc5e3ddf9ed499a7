package gemini

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
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
	peer   wire.Peer
	now    func() time.Time
	broken error // why there is no client
}

// New makes a provider. It connects to nothing; without a key every request
// fails with a line that says what to set. It may write to the standard log, see
// the package's documentation.
func New(opts Options) *Provider {
	p := &Provider{peer: wire.Peer{Name: "Gemini", Key: opts.Key}, now: time.Now}
	if opts.Key == "" {
		p.broken = p.peer.Keyless("GEMINI_API_KEY")
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
		p.broken = &agent.ProviderError{Kind: lifecycle.FailProvider, Message: p.peer.Line("Gemini: " + err.Error()), Err: err}
	}
	p.client = client
	return p
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
	a := answer{on: on, peer: p.peer, ids: wire.CallIDsOf(req.Messages)}
	for {
		if err := p.hop(ctx, req.Model, history, config, &a); err != nil {
			return agent.Response{Usage: a.usage.neutral()}, err
		}
		token, more := a.next()
		if !more {
			return a.response()
		}
		config.ContinuationToken = token
	}
}

// hop makes one request of an answer. Once that is whole it waits for the rest,
// the usage above all, but not for ever, and what breaks there breaks nothing.
func (p *Provider) hop(ctx context.Context, model string, history []*genai.Content, config *genai.GenerateContentConfig, a *answer) error {
	x := &exchange{life: wire.NewPulse(p.now, func() { a.tell(agent.Delta{}) })}
	x.take = func(event []byte) bool { return a.piece(event, x.life) }
	reading, enough := context.WithCancel(context.WithValue(ctx, exchangeOf{}, x))
	defer enough()
	next, stop := iter.Pull2(p.client.Models.GenerateContentStream(reading, model, history, config))
	defer stop()
	for {
		before := a.finished()
		chunk, more, err := pull(a, next)
		doubtful := err != nil && x.packed() && reading.Err() == nil
		switch {
		case before && !doubtful && (!more || err != nil):
			return nil
		case err != nil:
			return p.failure(ctx, err)
		case !more && ctx.Err() != nil:
			return ctx.Err()
		case !more:
			return nil
		}
		x.life.Step()
		a.add(chunk)
		if a.finished() && !before {
			defer time.AfterFunc(wire.Linger, enough).Stop()
		}
	}
}

// pull takes the next value.
func pull[T any](a *answer, next func() (T, error, bool)) (value T, more bool, err error) {
	defer guard(a.peer, &err, &a.telling)
	value, err, more = next()
	return value, more, err
}

// guard, deferred, makes an error of a panic. The SDK panics on JSON of another
// shape than it expects; that is the server's mistake, not Pawl's. A panic of whoever
// is being told is not the server's.
func guard(peer wire.Peer, err *error, telling *bool) {
	if *telling {
		return
	}
	if r := recover(); r != nil {
		*err = peer.Malformed(fmt.Sprint(r))
	}
}
