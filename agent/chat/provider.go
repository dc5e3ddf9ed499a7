package chat

import (
	"cmp"
	"context"
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

// Options say which server to ask, and with which key.
type Options = wire.Options

// Provider asks models through Chat Completions. It is safe for concurrent use.
type Provider struct {
	name    string
	server  wire.Server
	efforts wire.Efforts

	mu       sync.Mutex
	dialects map[string]dialect // by model
}

var _ agent.Provider = (*Provider)(nil)

// New returns a provider. It does not connect.
func New(opts Options) *Provider {
	p := newProvider(NameOpenAI, opts)
	p.server.Name = cmp.Or(opts.Named, wire.NameOf("OpenAI", officialURL, "the server", p.server.Base))
	return p
}

// NewOllama returns a provider for Ollama, whose address may be a host alone.
func NewOllama(opts Options) *Provider {
	p := newProvider(NameOllama, opts)
	p.server.Base = ollamaBase(strings.TrimRight(opts.BaseURL, "/"))
	p.server.Name = cmp.Or(opts.Named, wire.NameOf("Ollama", "", "Ollama", p.server.Base))
	return p
}

func newProvider(name string, opts Options) *Provider {
	p := &Provider{name: name, server: wire.NewServer(opts, officialURL), dialects: map[string]dialect{}}
	p.server.SetKey(opts, "Authorization", "Bearer ")
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
	asked := req.Effort
	for {
		d := p.dialect(req.Model)
		var instead string
		req.Effort, instead = p.efforts.Fit(req.Model, asked)
		response, err := p.once(ctx, req, d, on)
		response.Effort, response.NoEffort = req.Effort, instead
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
