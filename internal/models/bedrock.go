package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"pawl/agent"
	"pawl/agent/anthropic"
	"pawl/agent/wire"
)

// bedrock asks Claude at Amazon's Bedrock: in Anthropic's protocol, but for the address, some
// fields of the body, and an answer in Amazon's binary events. With a key it sends that; without,
// it signs each request with the user's access key.
type bedrock struct {
	options wire.Options
	sign    *awsSigner

	mu   sync.Mutex
	made map[string]*anthropic.Provider // by model: what one refuses another may take
}

func newBedrock(o wire.Options, env func(string) string) *bedrock {
	o.KeyHeader = "Authorization"
	sign := &awsSigner{env: env, region: regionOf(o.BaseURL, env)}
	if o.Keyless = o.Key == ""; !o.Keyless {
		sign = nil
	}
	return &bedrock{options: o, sign: sign, made: map[string]*anthropic.Provider{}}
}

// Stream implements agent.Provider.
func (b *bedrock) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	provider := b.of(req.Model)
	req.Model = claudeName(req.Model)
	return provider.Stream(ctx, req, on)
}

// of is Anthropic's provider for one of Bedrock's models, whose whole name stands in the address.
func (b *bedrock) of(model string) *anthropic.Provider {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made[model] == nil {
		o := b.options
		client := *o.HTTPClient
		client.Transport = &bedrockTransport{base: strings.TrimRight(o.BaseURL, "/"), model: model, sign: b.sign, next: o.HTTPClient.Transport}
		o.HTTPClient = &client
		b.made[model] = anthropic.New(o)
	}
	return b.made[model]
}

// Models lists Anthropic's models. The list is on the host that governs Bedrock.
func (b *bedrock) Models(ctx context.Context) ([]agent.ModelListing, error) {
	o := b.options
	o.BaseURL = strings.Replace(o.BaseURL, "://bedrock-runtime.", "://bedrock.", 1)
	client := *o.HTTPClient
	client.Transport = &bedrockTransport{base: strings.TrimRight(o.BaseURL, "/"), sign: b.sign, next: o.HTTPClient.Transport}
	o.HTTPClient = &client
	s := wire.NewServer(o, "")
	s.Name = o.Named
	s.SetKey(o, "Authorization", "Bearer ")
	list, err := s.Get(ctx, "/foundation-models?byProvider=anthropic")
	if err != nil {
		return nil, err
	}
	var all struct {
		Models []struct {
			ID string `json:"modelId"`
		} `json:"modelSummaries"`
	}
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, s.Malformed("it is not a list of models")
	}
	var offers []agent.ModelListing
	for _, m := range all.Models {
		offers = append(offers, agent.ModelListing{Name: m.ID})
	}
	return offers, nil
}

// bedrockSuffix is the version behind Anthropic's name of a model.
var bedrockSuffix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-v\d+(:\d+\w*)?$`) })

// claudeName is Anthropic's name of one of Bedrock's models: us.anthropic.claude-x-v1:0 is claude-x.
func claudeName(model string) string {
	if _, name, ok := strings.Cut(model, "anthropic."); ok {
		return bedrockSuffix().ReplaceAllString(name, "")
	}
	return model
}

// bedrockVersion is the version of Anthropic's API there.
const bedrockVersion = "bedrock-2023-05-31"

// bedrockTransport turns requests to Anthropic into those to Bedrock, and the answers back.
type bedrockTransport struct {
	base, model string
	sign        *awsSigner // nil: the request has a key
	next        http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *bedrockTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	to, body := r.Clone(r.Context()), []byte(nil)
	asks := strings.HasSuffix(r.URL.Path, "/v1/messages")
	if asks {
		var err error
		if body, err = forBedrock(r); err != nil {
			return nil, err
		}
		at, err := url.Parse(t.base + "/model/" + url.QueryEscape(t.model) + "/invoke-with-response-stream")
		if err != nil {
			return nil, err
		}
		to.URL, to.ContentLength = at, int64(len(body))
		to.Body = io.NopCloser(bytes.NewReader(body))
		to.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		to.Header.Set("Accept", "application/vnd.amazon.eventstream")
	}
	for _, name := range []string{"Anthropic-Version", "Anthropic-Beta"} {
		to.Header.Del(name)
	}
	if t.sign != nil {
		if err := t.sign.request(to, body); err != nil {
			return nil, err
		}
	}
	res, err := t.next.RoundTrip(to)
	if err == nil && asks && res.StatusCode == http.StatusOK {
		res.Body = newFromBedrock(res.Body)
		res.Header.Set("Content-Type", "text/event-stream")
	}
	return res, err
}

// forBedrock is a body for Anthropic as Bedrock wants it: without what is in the address, and with
// what was in headers.
func forBedrock(r *http.Request) ([]byte, error) {
	sent, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(sent, &fields); err != nil {
		return nil, err
	}
	delete(fields, "model")
	delete(fields, "stream")
	fields["anthropic_version"] = json.RawMessage(`"` + bedrockVersion + `"`)
	if beta := r.Header.Values("Anthropic-Beta"); len(beta) > 0 {
		encoded, err := json.Marshal(beta)
		if err != nil {
			return nil, err
		}
		fields["anthropic_beta"] = encoded
	}
	return json.Marshal(fields)
}

// awsSigner signs requests with the access key of the usual variables.
type awsSigner struct {
	env    func(string) string
	region string
}

// awsVariables are those that a request is signed with.
var awsVariables = []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}

func (s *awsSigner) request(r *http.Request, body []byte) error {
	if s.region == "" {
		return errors.New("Bedrock's region is not known: set AWS_REGION") //nolint:staticcheck // a name
	}
	sum := sha256.Sum256(body)
	with := aws.Credentials{AccessKeyID: s.env(awsVariables[0]), SecretAccessKey: s.env(awsVariables[1]), SessionToken: s.env(awsVariables[2])}
	r.Header.Del("User-Agent") // what proxies change is not signed
	if err := v4.NewSigner().SignHTTP(r.Context(), with, r, hex.EncodeToString(sum[:]), "bedrock", s.region, time.Now()); err != nil {
		return fmt.Errorf("sign the request: %w", err)
	}
	r.Header.Set("User-Agent", "pawl")
	return nil
}

// regionOf is the region in one of Bedrock's hosts, else that of the variables.
func regionOf(address string, env func(string) string) string {
	if at, err := url.Parse(address); err == nil {
		if _, rest, ok := strings.Cut(at.Hostname(), "bedrock-runtime."); ok {
			region, _, _ := strings.Cut(rest, ".")
			return region
		}
	}
	if region := env("AWS_REGION"); region != "" {
		return region
	}
	return env("AWS_DEFAULT_REGION")
}
