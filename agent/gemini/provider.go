package gemini

import (
	"cmp"
	"context"

	"pawl/agent"
	"pawl/agent/wire"
)

// Name is this provider's name in "provider/name" and in Thinking.Provider.
const Name = "gemini"

// Google's address, and where its key is set.
const (
	officialURL = "https://generativelanguage.googleapis.com"
	keyVariable = "GEMINI_API_KEY"
)

// Options say which server to ask, and with which key, which is required. The address is
// without the API's version.
type Options = wire.Options

// Provider asks Gemini models. It is safe for concurrent use.
type Provider struct {
	server   wire.Server
	efforts  wire.Efforts
	searches wire.Searches
	vertex   bool
}

var _ agent.Provider = (*Provider)(nil)

// New returns a provider. It does not connect. Without a key every request fails with a
// message that says what to set.
func New(opts Options) *Provider {
	server := wire.NewServer(opts, officialURL)
	server.Name, server.Correct = cmp.Or(opts.Named, "Gemini"), correct
	server.SetKey(opts, "X-Goog-Api-Key", "")
	return &Provider{server: server}
}

// NewForVertex returns a provider for Vertex AI, whose models do not search the web beside other
// tools.
func NewForVertex(opts Options) *Provider {
	p := New(opts)
	p.vertex = true
	return p
}

// Stream implements agent.Provider. A long answer that the server splits over several
// requests is one answer here. A request that is refused because of its effort or its search is
// sent again without it. That is a different request, not a retry, and what was learnt is kept.
func (p *Provider) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if err := p.server.NeedsKey(keyVariable); err != nil {
		return agent.Response{}, err
	}
	asked := req.Effort
	for {
		var instead string
		req.Effort, instead = p.efforts.Fit(req.Model, asked)
		answer, err := p.once(ctx, req, on)
		answer.Effort, answer.NoEffort = req.Effort, instead
		_, answer.NoSearch = p.offersSearch(req)
		if err != nil && p.sendsSearch(req) && p.searches.Learn(req.Model, err, refusals...) {
			continue
		}
		said, refused := wire.Objection(err)
		if !refused || !wire.AboutEffort(said, "thinking") || !p.efforts.Refused(req.Model, req.Effort) {
			return answer, err
		}
	}
}

func (p *Provider) once(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	path, err := path(req.Model)
	if err != nil {
		return agent.Response{}, err
	}
	body, err := p.newRequest(req)
	if err != nil {
		return agent.Response{}, err
	}
	a := answer{on: on, peer: p.server.Peer, ids: wire.CallIDsOf(req.Messages)}
	for more := true; more; body.ContinuationToken, more = a.next() {
		question := wire.Question{Path: path, Body: body, Keys: keys()}
		if err := p.server.Ask(ctx, question, func() { on(agent.Delta{}) }, a.take); err != nil {
			return a.used(), err
		}
	}
	return a.response()
}
