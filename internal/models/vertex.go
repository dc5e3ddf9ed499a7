package models

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/agent/anthropic"
	"pawl/agent/gemini"
	"pawl/agent/wire"
)

// vertex asks Google's Vertex AI, which has models of several makers, each in its maker's
// protocol but for the address and, for Claude, two fields of the body.
type vertex struct {
	claude, google server
	wire           wire.Server
}

func newVertex(o wire.Options) *vertex {
	o.KeyHeader = "Authorization"
	base := strings.TrimRight(o.BaseURL, "/")
	client := *o.HTTPClient
	client.Transport = &vertexTransport{base: base, next: client.Transport}
	plain := wire.NewServer(o, "")
	plain.Name = o.Named
	plain.SetKey(o, "Authorization", "Bearer ")
	o.HTTPClient = &client
	return &vertex{claude: anthropic.New(o), google: gemini.NewForVertex(o), wire: plain}
}

// Stream implements agent.Provider.
func (v *vertex) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	if isClaude(req.Model) {
		req.Model = strings.Replace(req.Model, "@", "-", 1) // as Anthropic writes it
		return v.claude.Stream(ctx, req, on)
	}
	return v.google.Stream(ctx, req, on)
}

// Models asks for a list, which Vertex does not have: the answer says whether the token is taken.
func (v *vertex) Models(ctx context.Context) ([]agent.ModelListing, error) {
	list, err := v.wire.Get(ctx, "/publishers/google/models")
	if err != nil {
		return nil, err
	}
	return v.wire.ParseModels(list)
}

func isClaude(model string) bool { return strings.HasPrefix(model, "claude-") }

// vertexVersion is the version of Anthropic's API there.
const vertexVersion = "vertex-2023-10-16"

// vertexTransport turns requests to Anthropic and to Gemini into those to Vertex.
type vertexTransport struct {
	base string
	next http.RoundTripper
}

// snapshotDate is the end of a model's name that Vertex writes behind an @.
var snapshotDate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-(20\d{6})$`) })

// RoundTrip implements http.RoundTripper.
func (t *vertexTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	path, _ := strings.CutPrefix(r.URL.String(), t.base)
	to := r.Clone(r.Context())
	address := ""
	switch model, isGemini := strings.CutPrefix(path, "/v1beta/models/"); {
	case isGemini:
		address = t.base + "/publishers/google/models/" + model
	case path == "/v1/messages":
		model, body, err := forVertex(r)
		if err != nil {
			return nil, err
		}
		to.Body, to.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		to.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		address = t.base + "/publishers/anthropic/models/" + snapshotDate().ReplaceAllString(model, "@$1") + ":streamRawPredict"
	default:
		return nil, fmt.Errorf("there is no %s at Vertex", path)
	}
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	to.URL = at
	to.Header.Del("Anthropic-Version") // it is in the body
	return t.next.RoundTrip(to)
}

// forVertex is a body for Anthropic as Vertex wants it: the model in the address, the version in it.
func forVertex(r *http.Request) (model string, body []byte, err error) {
	sent, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return "", nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(sent, &fields); err != nil {
		return "", nil, err
	}
	if err := json.Unmarshal(fields["model"], &model); err != nil {
		return "", nil, err
	}
	delete(fields, "model")
	fields["anthropic_version"] = json.RawMessage(`"` + vertexVersion + `"`)
	body, err = json.Marshal(fields)
	return url.PathEscape(model), body, err
}
