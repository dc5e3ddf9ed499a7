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
	Query  string // of every request, as some gateways want one; usually empty
	Client *http.Client
	Header http.Header // of every request, including the key
	given  http.Header // the user's, before all others
}

// Options say which server to ask, and with which key.
type Options struct {
	Key        string       // empty: none is sent, for servers without keys
	BaseURL    string       // empty: the maker's own
	HTTPClient *http.Client // nil: a new one

	Named     string            // how messages name the server; empty: by its maker or its host
	Headers   map[string]string // the user's, of every request, in place of others
	KeyHeader string            // the header that takes the key; empty: the usual one
	Keyless   bool              // something else says who asks, such as the client
}

// NewServer returns the server at the address of the options, or at the official one. Its key is
// not set yet.
func NewServer(opts Options, official string) Server {
	base, query, _ := strings.Cut(cmp.Or(opts.BaseURL, official), "?")
	base = strings.TrimRight(base, "/")
	if !strings.Contains(base, "://") {
		base = "https://" + base
	}
	client := opts.HTTPClient
	if client == nil {
		client = Client()
	}
	s := Server{Peer: Peer{Key: opts.Key, Keyless: opts.Keyless || len(opts.Headers) > 0}, Base: base, Query: query, Client: client, Header: http.Header{}, given: http.Header{}}
	for name, value := range opts.Headers {
		s.given.Set(name, value)
	}
	return s
}

// SetKey puts the key of the options, if there is one, into a header of every request, behind a
// scheme such as "Bearer ", unless the options name another header.
func (s *Server) SetKey(opts Options, header, scheme string) {
	if opts.KeyHeader != "" {
		header, scheme = opts.KeyHeader, ""
		if strings.EqualFold(header, "Authorization") {
			scheme = "Bearer "
		}
	}
	if opts.Key != "" {
		s.Header.Set(header, scheme+opts.Key)
	}
}

// url is the address of a path, which may have a query of its own.
func (s Server) url(path string) string {
	if s.Query == "" {
		return s.Base + path
	}
	if strings.Contains(path, "?") {
		return s.Base + path + "&" + s.Query
	}
	return s.Base + path + "?" + s.Query
}

// send makes a request. A response that cannot be an answer becomes an error.
func (s Server) send(ctx context.Context, method, path string, body []byte, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url(path), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "pawl")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
	}
	for _, some := range []http.Header{s.Header, header, s.given} {
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
