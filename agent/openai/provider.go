package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

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
	base      string
	peer      wire.Peer
	client    *http.Client
	responses responses.ResponseService
	now       func() time.Time

	mu      sync.Mutex
	without map[string]omission // by model, what it refused
	foreign map[string]bool     // ids of reasoning that the server cannot read
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
		base:    strings.TrimRight(cmp.Or(opts.BaseURL, officialURL), "/"),
		peer:    wire.Peer{Key: opts.Key},
		client:  opts.HTTPClient,
		now:     time.Now,
		without: map[string]omission{},
		foreign: map[string]bool{},
	}
	if p.client == nil {
		p.client = wire.Client()
	}
	if !strings.Contains(p.base, "://") {
		p.base = "https://" + p.base
	}
	p.peer.Name = wire.NameOf("OpenAI", officialURL, "the server", p.base)
	p.responses = responses.NewResponseService(
		option.WithBaseURL(p.base+"/"),
		option.WithAPIKey(opts.Key),
		option.WithHTTPClient(p.client),
		option.WithMaxRetries(0),
	)
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
	a := &answer{on: on, peer: p.peer, ids: wire.CallIDsOf(req.Messages)}
	if err := p.read(ctx, p.params(req), a); err != nil {
		return agent.Response{Usage: a.response.Usage}, p.cut(ctx, err)
	}
	return a.response, nil
}

// read feeds the answer until its final event.
func (p *Provider) read(ctx context.Context, params responses.ResponseNewParams, a *answer) error {
	life := wire.NewPulse(p.now, func() { a.tell(agent.Delta{}) })
	var body *wire.Body
	watch := func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		res, err := p.check(req, next)
		if err == nil {
			res.Body = life.Body(res.Body)
			body = wire.Clean(res, keys(), true, func(event []byte) bool { return a.piece(event, life) })
		}
		return res, err
	}
	stream := p.responses.NewStreaming(ctx, params, option.WithMiddleware(watch))
	defer func() { _ = stream.Close() }() // nothing is left to be told of it
	for stream.Next() {
		if strings.HasPrefix(stream.Current().Type, "response.") {
			life.Step()
		}
		done, err := a.take(stream.Current())
		if err != nil {
			return err
		}
		if done {
			return body.Settle()
		}
	}
	return cmp.Or(stream.Err(), wire.ErrCut)
}

// cut is the error of a stream without a good final event.
func (p *Provider) cut(ctx context.Context, err error) error {
	var event *ssestream.StreamError
	if errors.As(err, &event) && ctx.Err() == nil {
		return p.peer.Judge(wire.ReadFault(event.Event.Data), 0, 0)
	}
	return p.peer.Failed(ctx, err)
}

// check turns an answer that is no stream into its error, before the SDK, which
// would lose the headers of some and the status of others.
func (p *Provider) check(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return nil, err
	}
	return p.peer.Accept(res)
}
