package oauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"pawl/agent/mask"
	"pawl/internal/keys"
	"pawl/internal/words"
)

const (
	// leeway is how long before its end a token counts as ended: a request takes time, and clocks
	// differ. It is never more than a fifth of the token's life.
	leeway = time.Minute
	// askLimit is how long an authorization server may take.
	askLimit = 20 * time.Second
	// mostSeen is how many tokens of one session are hidden in what its server says.
	mostSeen = 20
	// mostLacked limits what a server can have a login ask for besides, in rights.
	mostLacked = 50
	// whyLength limits what is kept of an authorization server's words, in characters.
	whyLength = 200
)

// Bearer gives the requests of one session to one server their token. It implements the SDK's
// auth.OAuthHandler and never starts a login by itself.
type Bearer struct {
	logins      *Logins
	server, url string

	mu     sync.Mutex // held while a token is asked for: all requests need it
	tokens tokens

	seenMu sync.Mutex
	seen   []string
}

// For returns the tokens of a server at an address.
func (l *Logins) For(server, url string) *Bearer { return &Bearer{logins: l, server: server, url: url} }

// TokenSource implements auth.OAuthHandler. It returns nil if there is no login.
func (b *Bearer) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	if _, found, err := b.logins.Find(b.server, b.url); err != nil || !found {
		return nil, err
	}
	return tokenFunc(func() (*oauth2.Token, error) {
		access, err := b.token(ctx, "")
		if err != nil {
			return nil, err
		}
		return &oauth2.Token{AccessToken: access}, nil
	}), nil
}

type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

// Authorize implements auth.OAuthHandler: it is called when the server has refused a request, and
// gets a new token for its one repetition. It returns a *Needed if a person has to log in.
func (b *Bearer) Authorize(ctx context.Context, r *http.Request, answer *http.Response) error {
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, longestLogin)) // so that its connection can be used again
	if answer.StatusCode == http.StatusForbidden {
		return b.forbidden(ctx, answer)
	}
	refused := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if refused == "" {
		if _, found, _ := b.logins.Find(b.server, b.url); !found {
			return &Needed{Server: b.server}
		}
	}
	_, err := b.token(ctx, refused)
	return err
}

// forbidden says which rights a login lacks, and notes them for the next; nil if the refusal has other reasons.
func (b *Bearer) forbidden(ctx context.Context, answer *http.Response) error {
	all, err := oauthex.ParseWWWAuthenticate(answer.Header.Values("WWW-Authenticate"))
	if err != nil {
		return nil //nolint:nilerr // it says nothing that can be read
	}
	for _, c := range all {
		if c.Scheme == "bearer" && c.Params["error"] == "insufficient_scope" {
			if err := b.logins.lacks(ctx, b.server, b.url, strings.Fields(c.Params["scope"])); err != nil {
				slog.Error("note what a login lacks", "server", b.server, "error", err) // the next asks for what it asked before
			}
			return &Needed{Server: b.server, Why: words.CutLine("its login lacks the rights "+cmp.Or(c.Params["scope"], "for this"), whyLength)}
		}
	}
	return nil
}

// lacks notes which rights a server has missed in its login, if there is one.
func (l *Logins) lacks(ctx context.Context, server, url string, rights []string) error {
	unlock, err := l.lock(ctx, id(server, url))
	if err != nil {
		return err
	}
	defer unlock()
	login, found, err := l.Find(server, url)
	if err != nil || !found {
		return err
	}
	login.Lacks = slices.DeleteFunc(rights[:min(len(rights), mostLacked)], func(right string) bool { return len(right) > whyLength })
	return l.keep(login)
}

// token returns a token that is not refused, the kept one while it lasts.
func (b *Bearer) token(ctx context.Context, refused string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens.lasts(refused) {
		return b.tokens.Access, nil
	}
	login, found, err := b.logins.Find(b.server, b.url)
	switch {
	case err != nil:
		return "", err
	case !found:
		return "", &Needed{Server: b.server}
	case login.Over != "":
		return "", &Needed{Server: b.server, Why: login.Over}
	}
	kept, err := b.logins.tokens(login)
	if errors.Is(err, keys.ErrNone) {
		return "", &Needed{Server: b.server}
	}
	if err == nil && !kept.lasts(refused) {
		b.note(kept)
		kept, err = b.logins.refresh(ctx, login, refused)
	}
	if err != nil {
		return "", err
	}
	b.tokens = kept
	b.note(kept)
	return kept.Access, nil
}

// lasts reports whether the token can be used and is not the refused one.
func (t tokens) lasts(refused string) bool {
	if t.Access == "" || t.Access == refused {
		return false
	}
	return t.Expires.IsZero() || time.Until(t.Expires) > min(leeway, t.Expires.Sub(t.Got)/5)
}

// refresh asks for a new token, unless another process has got one meanwhile. A login that the
// authorization server ends is marked as over.
func (l *Logins) refresh(ctx context.Context, login Login, refused string) (tokens, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	unlock, err := l.lock(ctx, login.id())
	if err != nil {
		return tokens{}, err
	}
	defer unlock()
	if login, found, err := l.Find(login.Server, login.URL); err != nil || !found {
		return tokens{}, cmp.Or(err, error(&Needed{Server: login.Server}))
	}
	kept, err := l.tokens(login)
	switch {
	case err != nil:
		return tokens{}, err
	case kept.lasts(refused):
		return kept, nil
	case kept.Refresh == "":
		return tokens{}, &Needed{Server: login.Server, Why: "its login has ended"}
	}
	next, err := l.ask(ctx, login, kept)
	var refusal *oauth2.RetrieveError
	switch {
	case errors.As(err, &refusal) && (refusal.ErrorCode == "invalid_grant" || refusal.ErrorCode == "invalid_client"):
		login.Over = "its login was ended by the authorization server (" + plain(refusal.ErrorCode) + ")"
		return tokens{}, errors.Join(&Needed{Server: login.Server, Why: login.Over}, l.keep(login))
	case err != nil:
		return tokens{}, fmt.Errorf("%s could not be asked for a new token: %s", host(login.TokenURL), reason(err))
	}
	if _, _, err := l.keepTokens(login, next); err != nil {
		slog.Error("keep a new token", "server", login.Server, "error", err) // this session has it, and the next has to log in
	}
	return next, nil
}

// ask trades the refresh token for new tokens.
func (l *Logins) ask(ctx context.Context, login Login, kept tokens) (tokens, error) {
	config := oauth2.Config{
		ClientID: login.ClientID, ClientSecret: kept.ClientSecret,
		Endpoint: oauth2.Endpoint{TokenURL: login.TokenURL, AuthStyle: login.AuthStyle},
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, l.client())
	token, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: kept.Refresh}).Token()
	if err != nil {
		return tokens{}, err
	}
	return tokensOf(token, kept.ClientSecret), nil
}

func tokensOf(token *oauth2.Token, secret string) tokens {
	return tokens{Access: token.AccessToken, Refresh: token.RefreshToken, ClientSecret: secret, Got: time.Now(), Expires: token.Expiry}
}

func (l *Logins) client() *http.Client {
	if l.HTTP != nil {
		return l.HTTP
	}
	return newClient("")
}

// note remembers what the server must not be heard to repeat.
func (b *Bearer) note(t tokens) {
	b.seenMu.Lock()
	defer b.seenMu.Unlock()
	for _, secret := range []string{t.Access, t.Refresh, t.ClientSecret} {
		if secret != "" && !slices.Contains(b.seen, secret) {
			b.seen = append(b.seen, secret)
		}
	}
	b.seen = b.seen[max(0, len(b.seen)-mostSeen):]
}

func (b *Bearer) secrets() []string {
	b.seenMu.Lock()
	defer b.seenMu.Unlock()
	return slices.Clone(b.seen)
}

// plain puts foreign words on one short line without keys.
func plain(text string) string { return words.CutLine(mask.Mask{}.Text(text), whyLength) }

// reason is an error of an authorization server on one line, without what it answered in full.
func reason(err error) string {
	if refusal, is := errors.AsType[*oauth2.RetrieveError](err); is {
		if refusal.ErrorCode != "" {
			return plain(strings.TrimSuffix(refusal.ErrorCode+": "+refusal.ErrorDescription, ": "))
		}
		if refusal.Response != nil {
			return "it answered " + plain(refusal.Response.Status)
		}
	}
	return plain(err.Error())
}
