package mcp

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/keys"
	"pawl/internal/logintest"
	"pawl/tools/mcp/oauth"
)

// behindALogin is a server that wants one, and the logins of whoever uses it.
func behindALogin(t *testing.T) (*logintest.Server, *oauth.Logins, *Servers) {
	t.Helper()
	server, folder := logintest.New(t), t.TempDir()
	logins := &oauth.Logins{Folder: filepath.Join(folder, "logins"), Keys: keys.New(folder, false)}
	s := New(Options{Folder: folder, Launcher: launched(), Logins: logins, StartLimit: patience})
	t.Cleanup(s.Close)
	s.wait, s.pause = patience, 0
	return server, logins, s
}

func logIn(t *testing.T, logins *oauth.Logins, url string) {
	t.Helper()
	var pages sync.WaitGroup
	_, err := logins.Login(t.Context(), oauth.Request{Server: "docs", URL: url}, oauth.Person{Show: func(at string) { pages.Go(func() { _, _ = logintest.Browse(at) }) }})
	pages.Wait()
	require.NoError(t, err)
}

func TestAServerBehindALoginSaysSoAndIsUsedOnceSomebodyIsIn(t *testing.T) {
	server, logins, s := behindALogin(t)
	s.Start(Spec{Name: "docs", From: "config.toml", URL: server.URL})
	down := until(t, s, func(all []Status) bool { return all[0].State == Down })
	require.Equal(t, "needs a login: pawl mcp login docs", down[0].Why)
	require.Equal(t, "pawl mcp login docs", down[0].Login)

	logIn(t, logins, server.URL)
	s.Tools(t.Context()) // the next run starts it again
	until(t, s, func(all []Status) bool { return all[0].State == Ready })
	whoami := find(t, s, "mcp__docs__whoami")
	require.Equal(t, "you are in, with [masked]", ask(t.Context(), whoami, `{}`, nil).Text)

	server.EndTokens()
	require.Contains(t, ask(t.Context(), whoami, `{}`, nil).Text, "you are in")
	require.Equal(t, 1, server.Refreshed())

	server.EndLogin()
	result := ask(t.Context(), whoami, `{}`, nil)
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "log in again: pawl mcp login docs")
	over := until(t, s, func(all []Status) bool { return all[0].Login != "" })
	require.Equal(t, Ready, over[0].State)

	logIn(t, logins, server.URL)
	require.Contains(t, ask(t.Context(), whoami, `{}`, nil).Text, "you are in", "without a start")
	require.Empty(t, s.Status()[0].Login)
}

func TestAServerWithATokenOfItsOwnIsNotLoggedInTo(t *testing.T) {
	server, _, s := behindALogin(t)
	s.Start(Spec{Name: "docs", From: "config.toml", URL: server.URL, Headers: map[string]string{"authorization": "Bearer old"}})
	down := until(t, s, func(all []Status) bool { return all[0].State == Down })
	require.Equal(t, errUnauthorized.Error(), down[0].Why)
	require.Empty(t, down[0].Login)
}

// Anybody may begin a session there, and nobody may listen or ask.
func TestAServerThatWantsALoginOnlyLaterSaysSo(t *testing.T) {
	server, logins, s := behindALogin(t)
	server.Open = true
	s.Start(Spec{Name: "docs", From: "config.toml", URL: server.URL})
	down := until(t, s, func(all []Status) bool { return all[0].State == Down })
	require.Equal(t, "needs a login: pawl mcp login docs", down[0].Why)
	logIn(t, logins, server.URL)
	s.Tools(t.Context())
	until(t, s, func(all []Status) bool { return all[0].State == Ready })
}
