package oauth

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/logintest"
)

// willing is a person who logs in wherever the browser is sent.
func willing(t *testing.T) Person {
	t.Helper()
	var pages sync.WaitGroup
	t.Cleanup(pages.Wait)
	return Person{Show: func(address string) { pages.Go(func() { _, _ = logintest.Browse(address) }) }, Tell: func(line string) { t.Log(line) }}
}

// loggedIn are logins with one to this server.
func loggedIn(t *testing.T, s *logintest.Server) *Logins {
	t.Helper()
	l := kept(t)
	_, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL}, willing(t))
	require.NoError(t, err)
	return l
}

// call asks the server with the tokens of a session, and again if it refuses, as the SDK does.
func call(t *testing.T, b *Bearer) (string, error) {
	t.Helper()
	client := &http.Client{}
	defer client.CloseIdleConnections()
	for attempt := 0; ; attempt++ {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`))
		require.NoError(t, err)
		source, err := b.TokenSource(t.Context())
		require.NoError(t, err)
		if source != nil {
			token, err := source.Token()
			if err != nil {
				return "", err
			}
			r.Header.Set("Authorization", "Bearer "+token.AccessToken)
		}
		answer, err := client.Do(r)
		require.NoError(t, err)
		if answer.StatusCode == http.StatusOK || attempt == 1 {
			body := b.Hiding(answer.Body)
			text, err := io.ReadAll(body)
			require.NoError(t, err)
			require.NoError(t, body.Close())
			return string(text), nil
		}
		if err := b.Authorize(t.Context(), r, answer); err != nil {
			return "", err
		}
	}
}

// Some servers let anybody begin a session, and refuse what comes after it.
func TestALoginIsFoundWhereOnlyWhatFollowsNeedsOne(t *testing.T) {
	s := logintest.New(t)
	s.Open = true
	text, err := call(t, loggedIn(t, s).For("docs", s.URL))
	require.NoError(t, err)
	require.Contains(t, text, "you are in")
}

// Logging in again as one is told to asks for the rights that were missed, beside those of before.
func TestTheNextLoginAsksForTheRightsThatTheLastOneLacked(t *testing.T) {
	s := logintest.New(t)
	s.Needs = "write"
	l := loggedIn(t, s)
	require.Equal(t, "read", s.Scopes())
	_, err := call(t, l.For("docs", s.URL))
	require.EqualError(t, err, "its login lacks the rights write; log in again: pawl mcp login docs")
	login, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL}, willing(t))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"read", "write"}, strings.Fields(s.Scopes()), "in whichever order")
	require.Empty(t, login.Lacks)
	text, err := call(t, l.For("docs", s.URL))
	require.NoError(t, err)
	require.Contains(t, text, "you are in")
}

func TestALoginIsRegisteredProvenAndKept(t *testing.T) {
	s := logintest.New(t)
	l := kept(t)
	login, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL}, willing(t))
	require.NoError(t, err)
	require.Equal(t, strings.TrimSuffix(s.URL, "/mcp"), login.Issuer)
	require.Equal(t, login.Issuer+"/revoke", login.RevokeURL)
	require.Equal(t, "read", s.Scopes())
	text, err := call(t, l.For("docs", s.URL))
	require.NoError(t, err)
	require.Contains(t, text, "you are in, with [masked]", "a server that repeats its token is not heard")

	files, err := os.ReadDir(l.Folder)
	require.NoError(t, err)
	for _, file := range files {
		written, err := os.ReadFile(filepath.Join(l.Folder, file.Name()))
		require.NoError(t, err)
		require.NotContains(t, string(written), "at-")
		require.NotContains(t, string(written), "rt-")
	}
}

func TestATokenIsOfOneNameAndAddress(t *testing.T) {
	s := logintest.New(t)
	l := loggedIn(t, s)
	for _, other := range []*Bearer{l.For("docs", s.URL+"?x=1"), l.For("other", s.URL), l.For("docs", "https://example.com/mcp")} {
		source, err := other.TokenSource(t.Context())
		require.NoError(t, err)
		require.Nil(t, source)
	}
}

func TestAConfiguredClientAndScopesAreUsed(t *testing.T) {
	s := logintest.New(t)
	s.Facts = func(facts map[string]any) { delete(facts, "registration_endpoint") }
	l := kept(t)
	_, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL}, willing(t))
	require.ErrorContains(t, err, "registration")
	login, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL, ClientID: "known", Scopes: []string{"write", "admin"}}, willing(t))
	require.NoError(t, err)
	require.Equal(t, "known", login.ClientID)
	require.ElementsMatch(t, []string{"write", "admin"}, strings.Fields(s.Scopes()), "scopes are a set")
}

func TestATokenIsRefreshedBeforeItEndsAndOnceIfItIsRefused(t *testing.T) {
	s := logintest.New(t)
	s.Life = 5 * time.Minute
	l := loggedIn(t, s)
	b := l.For("docs", s.URL)
	_, err := call(t, b)
	require.NoError(t, err)
	require.Zero(t, s.Refreshed())

	of := Login{Server: "docs", URL: s.URL}
	stored, err := l.tokens(of)
	require.NoError(t, err)
	stored.Got, stored.Expires = time.Now().Add(-4*time.Second), time.Now().Add(900*time.Millisecond) // less than a fifth of its life is left
	b.tokens = stored
	_, _, err = l.keepTokens(of, stored)
	require.NoError(t, err)
	_, err = call(t, b)
	require.NoError(t, err)
	require.Equal(t, 1, s.Refreshed())

	s.EndTokens()
	text, err := call(t, b)
	require.NoError(t, err)
	require.Contains(t, text, "you are in")
	require.Equal(t, 2, s.Refreshed())
}

func TestManySessionsRefreshOnce(t *testing.T) {
	s := logintest.New(t)
	l := loggedIn(t, s)
	s.EndTokens()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { // each with its own memory and its own lock, as processes have
			other := &Logins{Folder: l.Folder, Keys: l.Keys}
			text, err := call(t, other.For("docs", s.URL))
			require.NoError(t, err)
			require.Contains(t, text, "you are in")
		})
	}
	all.Wait()
	require.Equal(t, 1, s.Refreshed())
	require.False(t, s.Reused())
}

func TestALoginThatIsOverSaysHowToLogInAgain(t *testing.T) {
	s := logintest.New(t)
	l := loggedIn(t, s)
	b := l.For("docs", s.URL)
	s.EndLogin()
	for range 2 {
		_, err := call(t, b)
		var needed *Needed
		require.ErrorAs(t, err, &needed)
		require.EqualError(t, needed, "its login was ended by the authorization server (invalid_grant); log in again: pawl mcp login docs")
	}
	_, err := l.Login(t.Context(), Request{Server: "docs", URL: s.URL}, willing(t))
	require.NoError(t, err)
	_, err = call(t, b)
	require.NoError(t, err, "a session uses a login that was made meanwhile")
}

func TestALoginWithoutARefreshTokenEnds(t *testing.T) {
	s := logintest.New(t)
	s.Quiet = true
	l := loggedIn(t, s)
	s.EndTokens()
	_, err := call(t, l.For("docs", s.URL))
	require.EqualError(t, err, "its login has ended; log in again: pawl mcp login docs")
}

func TestALogoutTakesTheTokensBack(t *testing.T) {
	s := logintest.New(t)
	l := loggedIn(t, s)
	gone, told, err := l.Logout(t.Context(), "docs")
	require.NoError(t, err)
	require.Empty(t, told)
	require.Len(t, gone, 1)
	require.Len(t, s.Revoked(), 1)
	require.True(t, strings.HasPrefix(s.Revoked()[0], "rt-"))
	_, err = call(t, l.For("docs", s.URL))
	require.EqualError(t, err, "needs a login: pawl mcp login docs")
	gone, _, err = l.Logout(t.Context(), "docs")
	require.NoError(t, err)
	require.Empty(t, gone)
}

// attempt is a login whose browser is played by the test.
func attempt(t *testing.T, s *logintest.Server, l *Logins, pasted chan string, browser func(address string)) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var told []string
	var pages sync.WaitGroup
	_, err := l.Login(ctx, Request{Server: "docs", URL: s.URL}, Person{
		Show: func(address string) { pages.Go(func() { browser(address) }) }, Pasted: pasted,
		Tell: func(line string) { told = append(told, line) },
	})
	pages.Wait()
	return told, err
}

func TestAnAnswerOfAnotherLoginIsPassedOver(t *testing.T) {
	s := logintest.New(t)
	told, err := attempt(t, s, kept(t), nil, func(address string) {
		back, err := logintest.Sent(address)
		require.NoError(t, err)
		at, err := url.Parse(back)
		require.NoError(t, err)
		forged := *at
		forged.RawQuery = url.Values{"code": {"stolen"}, "state": {"guessed"}}.Encode()
		_, err = logintest.Browse(forged.String())
		require.ErrorContains(t, err, "belongs to another login")
		page, err := logintest.Browse(back)
		require.NoError(t, err)
		require.Contains(t, page, "can be closed")
	})
	require.NoError(t, err)
	require.Equal(t, []string{"an answer that belongs to another login was passed over (its state differs)"}, told)
}

func TestAPageOfAnotherOriginReachesNothing(t *testing.T) {
	s := logintest.New(t)
	_, err := attempt(t, s, kept(t), nil, func(address string) {
		back, err := logintest.Sent(address)
		require.NoError(t, err)
		for _, change := range []func(*http.Request){
			func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			func(r *http.Request) { r.Host = "evil.example" },
			func(r *http.Request) { r.Method = http.MethodPost },
			func(r *http.Request) { r.URL.Path = "/" },
		} {
			r, err := http.NewRequest(http.MethodGet, back, nil)
			require.NoError(t, err)
			change(r)
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			answer.Body.Close()
			require.Equal(t, http.StatusNotFound, answer.StatusCode)
		}
		http.DefaultClient.CloseIdleConnections()
		_, err = logintest.Browse(back)
		require.NoError(t, err)
	})
	require.NoError(t, err)
}

func TestAnAddressCanBePastedInPlaceOfABrowserHere(t *testing.T) {
	s := logintest.New(t)
	pasted := make(chan string, 3)
	told, err := attempt(t, s, kept(t), pasted, func(address string) {
		back, err := logintest.Sent(address)
		require.NoError(t, err)
		at, err := url.Parse(back)
		require.NoError(t, err)
		at.Host = "evil.example"
		pasted <- at.String()
		pasted <- "  " + back + "\n"
	})
	require.NoError(t, err)
	require.Len(t, told, 1)
	require.Contains(t, told[0], "that is not the address of the answer, which begins with http://127.0.0.1:")
}

func TestAnswersAndFactsThatDoNotFitEndALogin(t *testing.T) {
	for name, row := range map[string]struct {
		answer func(url.Values)
		facts  func(map[string]any)
		says   string
	}{
		"another issuer answers":   {answer: func(v url.Values) { v.Set("iss", "https://evil.example") }, says: "does not match expected issuer"},
		"no issuer answers":        {answer: func(v url.Values) { v.Del("iss") }, says: "iss"},
		"the person says no":       {answer: func(v url.Values) { v.Del("code"); v.Set("error", "access_denied") }, says: "the authorization server says: access_denied"},
		"a code that is not there": {answer: func(v url.Values) { v.Set("code", "x") }, says: "invalid_grant"},
		"facts of another issuer":  {facts: func(f map[string]any) { f["issuer"] = "https://evil.example" }, says: "does not match issuer"},
		"no PKCE":                  {facts: func(f map[string]any) { delete(f, "code_challenge_methods_supported") }, says: "PKCE"},
		"a page that is a program": {facts: func(f map[string]any) { f["authorization_endpoint"] = "javascript:alert(1)" }, says: "disallowed scheme"},
		"tokens without https":     {facts: func(f map[string]any) { f["token_endpoint"] = "http://example.com/token" }, says: "HTTPS"},
	} {
		t.Run(name, func(t *testing.T) {
			s := logintest.New(t)
			s.Answer, s.Facts = row.answer, row.facts
			l := kept(t)
			_, err := attempt(t, s, l, nil, func(address string) { _, _ = logintest.Browse(address) })
			require.ErrorContains(t, err, row.says)
			require.NotContains(t, err.Error(), "\n")
			_, found, err := l.Find("docs", s.URL)
			require.NoError(t, err)
			require.False(t, found)
		})
	}
}

func TestOnlyAServerThatRefusesIsLoggedInTo(t *testing.T) {
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		}
	}))
	defer open.Close()
	l := kept(t)
	for address, says := range map[string]string{
		open.URL:                "docs takes requests without a login: there is nothing to do",
		open.URL + "/elsewhere": "it sends the request elsewhere",
		"http://example.com/":   "docs cannot be logged in to: tokens are sent over https alone, and its address is http://example.com/",
		"http://127.0.0.1:1/":   "docs could not be asked: 127.0.0.1:1:",
	} {
		_, err := l.Login(t.Context(), Request{Server: "docs", URL: address}, Person{})
		require.ErrorContains(t, err, says)
	}
}

func TestALoginEndsWithTheCommand(t *testing.T) {
	s := logintest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := kept(t).Login(ctx, Request{Server: "docs", URL: s.URL}, Person{Show: func(string) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
}
