package chat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// The names under which this provider goes.
const (
	NameOpenAI = "openai-chat"
	NameOllama = "ollama"
)

// Where the servers are if nothing else is said.
const (
	officialURL = "https://api.openai.com/v1"
	ollamaURL   = "http://127.0.0.1:11434/v1"
)

// Options say where to ask, with whose key and under which name.
type Options struct {
	Name       string       // NameOpenAI or NameOllama; empty is NameOpenAI
	Key        string       // empty sends none
	BaseURL    string       // empty is the name's own; Ollama's may be as short as a host
	HTTPClient *http.Client // nil is one of its own
}

// Provider asks models through Chat Completions. It is safe from any goroutine.
type Provider struct {
	name, base string
	peer       wire.Peer
	client     *http.Client
	linger     time.Duration // wire.Linger
	now        func() time.Time

	mu       sync.Mutex
	dialects map[string]dialect // by model
}

var _ agent.Provider = (*Provider)(nil)

// New makes a provider. It opens nothing.
func New(opts Options) *Provider {
	p := &Provider{
		name:     cmp.Or(opts.Name, NameOpenAI),
		peer:     wire.Peer{Key: opts.Key},
		base:     strings.TrimRight(opts.BaseURL, "/"),
		client:   opts.HTTPClient,
		linger:   wire.Linger,
		now:      time.Now,
		dialects: map[string]dialect{},
	}
	if p.client == nil {
		p.client = wire.Client()
	}
	switch {
	case p.name == NameOllama:
		p.base = ollamaBase(p.base)
	case p.base == "":
		p.base = officialURL
	case !strings.Contains(p.base, "://"):
		p.base = "https://" + p.base
	}
	p.peer.Name = wire.NameOf("OpenAI", officialURL, "the server", p.base)
	if p.name == NameOllama {
		p.peer.Name = wire.NameOf("Ollama", "", "Ollama", p.base)
	}
	return p
}

// ollamaBase reads an address as Ollama's own client reads OLLAMA_HOST: a host
// alone is enough, and an address to listen on is one to call.
func ollamaBase(address string) string {
	if address == "" {
		return ollamaURL
	}
	bare := !strings.Contains(address, "://")
	if bare {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address // the request will name what is wrong with it
	}
	host, port := u.Hostname(), u.Port()
	if host == "0.0.0.0" || host == "::" || host == "" {
		host = "127.0.0.1"
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" && bare {
		port = "11434"
	}
	u.Host = host
	if port != "" {
		u.Host += ":" + port
	}
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u.String()
}

// official says whether this is OpenAI itself, which is stricter than the others
// and knows fields that they do not.
func (p *Provider) official() bool { return strings.HasPrefix(p.base, "https://api.openai.com/") }

// Stream implements agent.Provider. A request that the server refuses because of
// something it could do without is made again without that: this is no retry, it
// is another question, and what was learnt holds for the life of the provider.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	for {
		d := p.dialect(req.Model)
		response, err := p.once(ctx, req, d, on)
		if err == nil || !p.learn(req, d, err) {
			return response, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, d dialect, on func(agent.Delta)) (agent.Response, error) {
	body, err := json.Marshal(p.request(req, d))
	if err != nil {
		return agent.Response{}, &agent.ProviderError{Kind: lifecycle.FailProvider, Message: "write the request: " + err.Error(), Err: err}
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	res, err := p.send(reading, http.MethodPost, "/chat/completions", body)
	if err != nil {
		return agent.Response{}, p.peer.Failed(ctx, err)
	}
	defer res.Body.Close()
	a := newAnswer(p, req, on)
	err = p.read(reading, stop, res, a)
	if doubtful := res.Uncompressed && reading.Err() == nil; err != nil && (!a.finished || doubtful) {
		return agent.Response{Usage: a.usage}, p.peer.Failed(ctx, err)
	}
	return a.response()
}

// read feeds the answer until the stream ends. Once the answer is whole, it waits
// for the rest, the usage above all, but not for ever.
func (p *Provider) read(ctx context.Context, stop func(), res *http.Response, a *answer) error {
	life := wire.NewPulse(p.now, func() { a.tell(agent.Delta{}) })
	events := wire.NewEvents(life.Body(res.Body), keys())
	for ctx.Err() == nil {
		data, err := events.Next()
		switch {
		case errors.Is(err, io.EOF):
			return a.close(events.Stray())
		case err != nil:
			return err
		case string(data) == wire.Done:
			return cmp.Or(a.close(nil), wire.Settle(res.Body, res.Uncompressed))
		}
		before := a.finished
		step, err := a.take(data)
		if err != nil {
			return err
		}
		if step {
			life.Step()
		}
		if a.finished && !before {
			defer time.AfterFunc(p.linger, stop).Stop()
		}
	}
	return ctx.Err()
}

// send makes a request. A response that is none is an error that says why.
func (p *Provider) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	return p.sendTo(ctx, method, p.base+path, body)
}

func (p *Provider) sendTo(ctx context.Context, method, address string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
	}
	req.Header.Set("User-Agent", "pawl")
	if p.peer.Key != "" {
		req.Header.Set("Authorization", "Bearer "+p.peer.Key)
	}
	res, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	return p.peer.Accept(res)
}
