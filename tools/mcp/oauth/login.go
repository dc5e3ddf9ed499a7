package oauth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// Request says what to log in to.
type Request struct {
	Server, URL  string
	Headers      map[string]string // that the server gets besides
	ClientID     string            // empty: Pawl registers itself
	ClientSecret string            // of a ClientID that has one
	Scopes       []string          // nil: what the server names
	Port         int               // on this machine, for the answer; 0: a free one
}

// Person is who logs in.
type Person struct {
	// Show is called once with the address to open in a browser.
	Show func(address string)
	// Pasted are lines that the person has typed: the address to which the browser was sent, for
	// a browser on another machine. It may be nil.
	Pasted <-chan string
	// Tell says what was wrong with an answer that was passed over.
	Tell func(line string)
}

// Kept says where a login is.
type Kept struct {
	Login
	Place   string // of its tokens, in words
	Without string // why the key ring was not used although it should have been; empty: it was, or need not be
}

// probe is the first message of a session, with which the server is asked for its challenge, and probeTools the
// next that matters.
const (
	probe      = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pawl","version":"0"}}}`
	probeTools = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// Login logs a person in and keeps the tokens in place of older ones. It returns when the person
// has answered or ctx ends. Its errors are one line each.
func (l *Logins) Login(ctx context.Context, r Request, p Person) (Kept, error) {
	if !Protected(r.URL) {
		return Kept{}, fmt.Errorf("%s cannot be logged in to: tokens are sent over https alone, and its address is %s", r.Server, r.URL)
	}
	client := newClient(r.URL)
	defer client.CloseIdleConnections()
	request, answer, err := r.challenge(ctx, client)
	if err != nil {
		return Kept{}, err
	}
	before, _, err := l.Find(r.Server, r.URL)
	if err != nil {
		before = Login{} // what cannot be read is replaced
	}
	back, err := listen(ctx, r.Port)
	if err != nil {
		return Kept{}, err
	}
	defer back.close()
	var got struct {
		config *oauth2.Config
		token  *oauth2.Token
	}
	handler, err := auth.NewAuthorizationCodeHandler(r.config(client, back, p, before.Lacks, func(_ context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
		got.config, got.token = config, token
		return oauth2.StaticTokenSource(token), nil
	}))
	if err != nil {
		return Kept{}, err
	}
	challenges := answer.Header.Values("WWW-Authenticate")
	if err := handler.Authorize(ctx, request, answer); err != nil {
		return Kept{}, fmt.Errorf("%s: no login: %w", r.Server, failure(ctx, err))
	}
	login := Login{
		Server: r.Server, URL: r.URL, TokenURL: got.config.Endpoint.TokenURL, ClientID: got.config.ClientID,
		AuthStyle: got.config.Endpoint.AuthStyle, Scopes: got.config.Scopes, Since: time.Now(),
	}
	login.Issuer, login.RevokeURL = issuerOf(ctx, client, challenges, r.URL)
	return l.store(ctx, login, tokensOf(got.token, got.config.ClientSecret))
}

// store keeps a login and its tokens: the tokens first, for without them it would be none.
func (l *Logins) store(ctx context.Context, login Login, t tokens) (Kept, error) {
	unlock, err := l.lock(ctx, login.id())
	if err != nil {
		return Kept{}, err
	}
	defer unlock()
	place, without, err := l.keepTokens(login, t)
	if err == nil {
		err = l.keep(login)
	}
	return Kept{login, place, without}, err
}

// challenge asks the server without a token, which it must refuse: a session, or else the tools in one, for
// some servers let anybody begin. The caller closes the answer.
func (r Request) challenge(ctx context.Context, client *http.Client) (*http.Request, *http.Response, error) {
	session := ""
	for _, message := range []string{probe, probeTools} {
		request, answer, err := r.post(ctx, client, session, message)
		if err != nil {
			return nil, nil, fmt.Errorf("%s could not be asked: %w", r.Server, failure(ctx, err))
		}
		if answer.StatusCode == http.StatusUnauthorized {
			return request, answer, nil
		}
		answer.Body.Close()
		if message == probe && answer.StatusCode >= http.StatusMultipleChoices {
			return nil, nil, fmt.Errorf("%s does not ask for a login, it answers %s", r.Server, plain(answer.Status))
		}
		session = answer.Header.Get("Mcp-Session-Id")
	}
	return nil, nil, fmt.Errorf("%s takes requests without a login: there is nothing to do", r.Server)
}

// post sends the server a message without a token, in a session if it has begun one.
func (r Request) post(ctx context.Context, client *http.Client, session, message string) (*http.Request, *http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, strings.NewReader(message))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		request.Header.Set("Mcp-Session-Id", session)
	}
	for name, value := range r.Headers {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	return request, answer, err
}

// config is the SDK's part of a login.
func (r Request) config(client *http.Client, back *callback, p Person, lacked []string, taken func(context.Context, *oauth2.Config, *oauth2.Token) (oauth2.TokenSource, error)) *auth.AuthorizationCodeHandlerConfig {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back.address(), Client: client, RequestRefreshToken: true, AcceptUnadvertisedIss: true,
		NewTokenSource: taken,
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return back.fetch(ctx, args.URL, p)
		},
		ScopeFilter: func(named []string) []string {
			if r.Scopes != nil {
				return slices.Clone(r.Scopes)
			}
			return append(slices.Clone(named), slices.DeleteFunc(lacked, func(scope string) bool { return slices.Contains(named, scope) })...)
		},
	}
	if r.ClientID == "" {
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "Pawl", RedirectURIs: []string{back.address()}, ResponseTypes: []string{"code"},
			GrantTypes: []string{"authorization_code", "refresh_token"}, TokenEndpointAuthMethod: "none",
		}}
		return config
	}
	config.PreregisteredClient = &oauthex.ClientCredentials{ClientID: r.ClientID}
	if r.ClientSecret != "" {
		config.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: r.ClientSecret}
	}
	return config
}

// issuerOf returns who lets people in to a server and where a login is taken back; empty if nobody
// says so.
func issuerOf(ctx context.Context, client *http.Client, challenges []string, server string) (issuer, revoke string) {
	for _, place := range metadataOf(challenges, server) {
		facts, err := oauthex.GetProtectedResourceMetadata(ctx, place[0], place[1], client)
		if err == nil && len(facts.AuthorizationServers) > 0 {
			issuer = facts.AuthorizationServers[0]
			break
		}
	}
	if issuer == "" {
		issuer = origin(server)
	}
	meta, err := auth.GetAuthServerMetadata(ctx, issuer, client)
	if err != nil || meta == nil {
		return issuer, ""
	}
	if !Protected(meta.RevocationEndpoint) {
		return meta.Issuer, ""
	}
	return meta.Issuer, meta.RevocationEndpoint
}

// metadataOf lists where a server's facts may be, each with the resource that they must be of.
func metadataOf(challenges []string, server string) [][2]string {
	var all [][2]string
	found, err := oauthex.ParseWWWAuthenticate(challenges)
	for _, c := range found {
		if at := c.Params["resource_metadata"]; at != "" && err == nil {
			all = append(all, [2]string{at, server})
		}
	}
	at, err := url.Parse(server)
	if err != nil {
		return all
	}
	const known = "/.well-known/oauth-protected-resource"
	path := *at
	path.Path = known + at.Path
	return append(all, [2]string{path.String(), server}, [2]string{origin(server) + known, origin(server)})
}

func origin(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return at.Scheme + "://" + at.Host
}

// Logout forgets the logins to servers of a name and has their tokens taken back. Those that are
// returned are forgotten; told says which authorization servers did not take a token back.
func (l *Logins) Logout(ctx context.Context, server string) (gone []Login, told []string, err error) {
	all, err := l.Of(server)
	for _, login := range all {
		kept, missing := l.tokens(login)
		if wrong := l.forget(ctx, login); wrong != nil {
			err = errors.Join(err, wrong)
			continue
		}
		gone = append(gone, login)
		if missing != nil || login.Over != "" {
			continue
		}
		if wrong := l.revoke(ctx, login, kept); wrong != nil {
			told = append(told, fmt.Sprintf("%s still holds the login: %s", host(login.TokenURL), wrong))
		}
	}
	return gone, told, err
}

// revoke asks the authorization server to take the login back (RFC 7009).
func (l *Logins) revoke(ctx context.Context, login Login, t tokens) error {
	if login.RevokeURL == "" {
		return errors.New("it has no address for taking one back; its tokens end by themselves")
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	form := url.Values{"token": {t.Access}, "client_id": {login.ClientID}}
	if t.Refresh != "" {
		form.Set("token", t.Refresh)
		form.Set("token_type_hint", "refresh_token")
	}
	if t.ClientSecret != "" {
		form.Set("client_secret", t.ClientSecret)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, login.RevokeURL, bytes.NewBufferString(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := l.client().Do(request)
	if err != nil {
		return failure(ctx, err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, longestLogin))
	if answer.StatusCode >= http.StatusMultipleChoices {
		return errors.New("it answered " + plain(answer.Status))
	}
	return nil
}

// failure is an error on one line, without addresses of the SDK's own requests.
func failure(ctx context.Context, err error) error {
	var asked *url.Error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &asked):
		return fmt.Errorf("%s: %s", host(asked.URL), plain(asked.Err.Error()))
	}
	return errors.New(reason(err))
}
