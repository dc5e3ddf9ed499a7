// Package auth stands in for the library of that name: see slim/README.md. There is
// nobody that it could sign in, and each of its errors says so.
package auth

import (
	"context"
	"errors"
)

// ErrAbsent is what every request for credentials ends with.
var ErrAbsent = errors.New("signing in to Google Cloud is not part of this program: use the Gemini API, with a key")

// Token proves who asks.
type Token struct{ Value string }

// Credentials are never made: they stand in the signatures of genai.
type Credentials struct{}

// Token gives none.
func (*Credentials) Token(context.Context) (*Token, error) { return nil, ErrAbsent }

// QuotaProjectID names no project that would be billed.
func (*Credentials) QuotaProjectID(context.Context) (string, error) { return "", ErrAbsent }
