package wire

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
)

// Server is where a provider sends its requests, and what they have in common.
type Server struct {
	Peer
	Base   string // its address, without a trailing slash
	Client *http.Client
	Header http.Header // of every request, including the key
}

// Options say which server to ask, and with which key.
type Options struct {
	Key        string       // empty: none is sent, for servers without keys
	BaseURL    string       // empty: the maker's own
	HTTPClient *http.Client // nil: a new one
}

// NewServer returns the server at the address of the options, or at the official one.
func NewServer(opts Options, official string) Server {
	base := strings.TrimRight(cmp.Or(opts.BaseURL, official), "/")
	if !strings.Contains(base, "://") {
		base = "https://" + base
	}
	client := opts.HTTPClient
	if client == nil {
		client = Client()
	}
	return Server{Peer: Peer{Key: opts.Key}, Base: base, Client: client, Header: http.Header{}}
}

// send makes a request. A response that cannot be an answer becomes an error.
func (s Server) send(ctx context.Context, method, path string, body []byte, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "pawl")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
	}
	for _, some := range []http.Header{s.Header, header} {
		for name, values := range some {
			req.Header[name] = values
		}
	}
	res, err := s.Client.Do(req)
	if err != nil {
		return nil, err
	}
	return s.Accept(res)
}

// maxList bounds a list of models, in bytes. The longest known, a router's with some
// hundreds, has about one million.
const maxList = 16 << 20

// Get fetches a list of models. Its error is a *agent.ProviderError, or ctx's.
func (s Server) Get(ctx context.Context, path string) ([]byte, error) {
	res, err := s.send(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return nil, s.Failed(ctx, err)
	}
	defer res.Body.Close()
	list, err := io.ReadAll(io.LimitReader(res.Body, maxList+1))
	if err != nil {
		return nil, s.Failed(ctx, err)
	}
	if len(list) > maxList {
		return nil, s.Malformed("its list of models is too long")
	}
	return list, nil
}
