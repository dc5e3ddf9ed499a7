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

// The names of this provider.
const (
	NameOpenAI = "openai-chat"
	NameOllama = "ollama"
)

// The servers' default addresses.
const (
	officialURL = "https://api.openai.com/v1"
	ollamaURL   = "http://127.0.0.1:11434/v1"
)

// Options say which server to ask, with which key, and under which name.
type Options struct {
	Name       string       // NameOpenAI or NameOllama; empty: NameOpenAI
	Key        string       // empty: none is sent
	BaseURL    string       // empty: the default of the name; for Ollama a host is enough
	HTTPClient *http.Client // nil: a new one
}

// Provider asks models through Chat Completions. It is safe for concurrent use.
type Provider struct {
	name   string
	server wire.Server

	mu       sync.Mutex
	dialects map[string]dialect // by model
}

var _ agent.Provider = (*Provider)(nil)

// New returns a provider. It does not connect.
func New(opts Options) *Provider {
	p := &Provider{
		name:     cmp.Or(opts.Name, NameOpenAI),
		server:   wire.NewServer(wire.Options{Key: opts.Key, BaseURL: opts.BaseURL, HTTPClient: opts.HTTPClient}, officialURL),
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

// ollamaBase reads an address as Ollama's client reads OLLAMA_HOST: a host is enough, and
// an address to listen on stands for one to call.
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
		return address // the request will report what is wrong
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

// official reports whether this is OpenAI itself, which is stricter than others and has
// fields that they lack.
func (p *Provider) official() bool {
	return strings.HasPrefix(p.server.Base, "https://api.openai.com/")
}

// Stream implements agent.Provider. A request that is refused because of something optional is
// sent again without it. That is a different request, not a retry, and what was learnt is kept.
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
	a := &answer{provider: p.name, peer: p.server.Peer, on: on, ids: wire.CallIDsOf(req.Messages)}
	question := wire.Question{Path: "/chat/completions", Body: p.request(req, d), Keys: keys()}
	if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
		return agent.Response{Usage: a.usage}, err
	}
	return a.response()
}
