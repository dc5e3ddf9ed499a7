package models

import (
	"context"
	"fmt"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"pawl/internal/words"
)

// googleScope is what a token for Vertex must allow.
const googleScope = "https://www.googleapis.com/auth/cloud-platform"

// googleKey is a token by Google's application default credentials: the file that
// GOOGLE_APPLICATION_CREDENTIALS names, what gcloud has left, or those of the machine. The library
// renews it before its end.
func (m *Set) googleKey(ctx context.Context, p Provider) (key, error) {
	type answer struct {
		token *oauth2.Token
		err   error
	}
	said := make(chan answer, 1)
	go func() { // what it asks takes no context each time
		token, err := m.googleToken(context.WithoutCancel(ctx), p.Name)
		said <- answer{token, err}
	}()
	limited, stop := context.WithTimeout(ctx, m.commandLimit)
	defer stop()
	select {
	case a := <-said:
		if a.err != nil {
			return key{}, failedAuth(fmt.Sprintf("no token for %s by Google's application default credentials: %s; run gcloud auth application-default login, or give it a key_command", p.Name, words.CutLine(words.Line(a.err.Error()), 200)))
		}
		m.Learned.Add(a.token.AccessToken)
		return key{a.token.AccessToken, "Google's application default credentials"}, nil
	case <-limited.Done():
		if ctx.Err() != nil {
			return key{}, context.Cause(ctx)
		}
		return key{}, failedAuth(fmt.Sprintf("no token for %s by Google's application default credentials within %s: check the network, or give it a key_command", p.Name, m.commandLimit))
	}
}

func (m *Set) googleToken(ctx context.Context, provider string) (*oauth2.Token, error) {
	m.mu.Lock()
	source := m.googleTokens[provider]
	m.mu.Unlock()
	if source == nil {
		found, err := google.FindDefaultCredentials(ctx, googleScope)
		if err != nil {
			return nil, err
		}
		source = oauth2.ReuseTokenSource(nil, found.TokenSource)
		m.mu.Lock()
		m.googleTokens[provider] = source
		m.mu.Unlock()
	}
	return source.Token()
}
