package chat

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/agent/wire"
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
	name   string
	server wire.Server

	mu       sync.Mutex
	dialects map[string]dialect // by model
}

var _ agent.Provider = (*Provider)(nil)

// New makes a provider. It opens nothing.
func New(opts Options) *Provider {
	p := &Provider{
		name:     cmp.Or(opts.Name, NameOpenAI),
		server:   wire.NewServer(opts.BaseURL, officialURL, opts.Key, opts.HTTPClient),
		dialects: map[string]dialect{},
	}
	p.server.Name = wire.NameOf("OpenAI", officialURL, "the server", p.server.Base)
	if p.name == NameOllama {
		p.server.Base = ollamaBase(strings.TrimRight(opts.BaseURL, "/"))
		p.server.Name = wire.NameOf("Ollama", "", "Ollama", p.server.Base)
	}
	if opts.Key != "" {
		p.server.Header.Set("Authorization", "Bearer "+opts.Key)
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
func (p *Provider) official() bool {
	return strings.HasPrefix(p.server.Base, "https://api.openai.com/")
}

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
	a := newAnswer(p, req, on)
	question := wire.Question{Path: "/chat/completions", Body: p.request(req, d), Keys: keys()}
	if err := p.server.Ask(ctx, question, func() { a.emit(agent.Delta{}) }, a.take); err != nil {
		return agent.Response{Usage: a.usage}, err
	}
	return a.response()
}
