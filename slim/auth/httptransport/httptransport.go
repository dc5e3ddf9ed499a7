// Package httptransport stands in for the library of that name: see slim/README.md.
package httptransport

import (
	"net/http"

	"cloud.google.com/go/auth"
)

// Options say how a client is to sign its requests.
type Options struct {
	Credentials *auth.Credentials
	Headers     http.Header
}

// NewClient makes none: one that signs nothing would fail at the server, with less to
// say about it.
func NewClient(*Options) (*http.Client, error) { return nil, auth.ErrAbsent }

// AddAuthorizationMiddleware leaves the client as it is.
func AddAuthorizationMiddleware(*http.Client, *auth.Credentials) error { return auth.ErrAbsent }
