package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/internal/keys"
	"pawl/internal/modeltest"
	"pawl/lifecycle"
)

// printing is a key_command that prints each text once, and the last one for ever.
func printing(texts ...string) (run func(context.Context, []string) (string, error), asked func() int) {
	var mu sync.Mutex
	n := 0
	return func(context.Context, []string) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			n++
			return texts[min(n, len(texts))-1], nil
		}, func() int {
			mu.Lock()
			defer mu.Unlock()
			return n
		}
}

func say(t *testing.T, m *Set, model string) error {
	t.Helper()
	provider, name, err := m.Resolve(model)
	require.NoError(t, err)
	_, err = provider.Stream(t.Context(), agent.Request{Model: name, Messages: []agent.Message{agent.Say("hello")}}, func(agent.Delta) {})
	return err
}

func greeting(modeltest.Request) modeltest.Reply { return modeltest.Say("Hello.") }

func TestAKeyIsTheVariablesElseTheCommandsElseTheKeptOne(t *testing.T) {
	kept := keys.New(t.TempDir(), false)
	said := settings.Provider{Kind: "chat", BaseURL: "http://127.0.0.1:1", KeyEnv: "ROUTER", KeyCommand: []string{"printer"}}
	run, asked := printing("from-the-command\n")
	of := func(p settings.Provider, environ ...string) *Set {
		m := withProviders(map[string]settings.Provider{"router": p}, environ...)
		m.Keys, m.Run = kept, run
		return m
	}
	key := func(m *Set) string {
		text, err := m.Key(t.Context(), "router", "")
		require.NoError(t, err)
		return text
	}
	_, _, err := kept.Set(keys.ForProvider("router"), "from-the-store")
	require.NoError(t, err)
	require.Equal(t, "from-the-variable", key(of(said, "ROUTER=from-the-variable")))
	require.Zero(t, asked())
	m := of(said)
	require.Equal(t, "from-the-command", key(m))
	require.Equal(t, "from-the-command", key(m))
	require.Equal(t, 1, asked(), "it is kept in memory")
	require.Equal(t, "[masked]", m.Hide().Text("from-the-command"))
	said.KeyCommand = nil
	require.Equal(t, "from-the-store", key(of(said)))
	require.NoError(t, kept.Remove(keys.ForProvider("router")))
	_, err = of(said).Key(t.Context(), "router", "")
	require.EqualError(t, err, "ROUTER is not set: set ROUTER, or run pawl login router")
	said.KeyEnv = ""
	require.Empty(t, key(of(said)), "a server without keys")
}

func TestAKeyThatIsRefusedIsLookedForOnceMore(t *testing.T) {
	modeltest.EachProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		server := modeltest.Listen(t, greeting).Takes("token-2-of-the-day")
		base := server.URL
		if p.Name == "openai" || p.Name == "openai-chat" {
			base += "/v1"
		}
		run, asked := printing("token-1-of-the-day\nmore\n", "  token-2-of-the-day  \nsecond\nthird\n")
		kind := strings.TrimPrefix(p.Name, "openai-")
		m := withProviders(map[string]settings.Provider{"router": {Kind: kind, BaseURL: base, KeyCommand: []string{"printer"}}})
		m.Run = run
		require.NoError(t, say(t, m, "router/m"))
		require.Equal(t, []string{"token-1-of-the-day", "token-2-of-the-day"}, server.Keys())
		require.NoError(t, say(t, m, "router/m"))
		require.Equal(t, 2, asked())

		server.Takes("token-3-of-the-day")
		err := say(t, m, "router/m")
		require.ErrorContains(t, err, "router: ")
		require.ErrorContains(t, err, "; check its key_command")
		require.Equal(t, 3, asked(), "the same key is not sent twice")
		require.Len(t, server.Keys(), 4)
	})
}

func TestAKeyCommandThatGivesNoKeyIsOneLine(t *testing.T) {
	for name, row := range map[string]struct {
		prints string
		fails  error
		says   string
	}{
		"nothing":        {"", nil, "printed no key on its first line"},
		"a blank first":  {"\nkey\n", nil, "printed no key on its first line"},
		"a sentence":     {"You are not signed in.\n", nil, "printed something on its first line that is no key"},
		"control signs":  {"\x1b[31mkey\n", nil, "printed something on its first line that is no key"},
		"it fails":       {"", errors.New("exit code 3: vault\nis sealed"), "failed: exit code 3: vault is sealed"},
		"no such thing":  {"", errors.New(`exec: "printer": not found`), `failed: exec: "printer": not found`},
		"other writings": {"ключ\n", nil, "printed something on its first line that is no key"},
	} {
		m := withProviders(map[string]settings.Provider{"router": {Kind: "chat", KeyCommand: []string{"printer", "--token"}}})
		m.Run = func(context.Context, []string) (string, error) { return row.prints, row.fails }
		err := say(t, m, "router/m")
		var failure *lifecycle.Failure
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, lifecycle.FailAuth, failure.Kind, name)
		require.Contains(t, failure.Message, "the key_command of router "+row.says, name)
		require.Contains(t, failure.Message, "run printer yourself", name)
		require.NotContains(t, failure.Message, "\n", name)
	}
}

func TestAKeyCommandThatHangsIsGivenUpAndHoldsUpNobodyElse(t *testing.T) {
	server := modeltest.Listen(t, greeting)
	m := withProviders(map[string]settings.Provider{
		"slow":  {Kind: "chat", BaseURL: server.URL + "/v1", KeyCommand: []string{"sleeper"}},
		"quick": {Kind: "openai", BaseURL: server.URL + "/v1", KeyEnv: "QUICK"},
	}, "QUICK="+modeltest.Key)
	m.commandLimit = 50 * time.Millisecond
	m.Run = func(ctx context.Context, _ []string) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	require.EqualError(t, say(t, m, "slow/m"), "the key_command of slow did not end within 50ms: run sleeper yourself to see what it waits for")
	require.NoError(t, say(t, m, "quick/m"))
	m.commandLimit = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopped"))
	_, err := m.Key(ctx, "slow", "")
	require.EqualError(t, err, "stopped")
}

func TestRunsThatNeedAKeyAtOnceAskForItOnce(t *testing.T) {
	run, asked := printing("a-key-for-all\n")
	m := withProviders(map[string]settings.Provider{"router": {Kind: "chat", KeyCommand: []string{"printer"}}})
	m.Run = run
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			key, err := m.Key(t.Context(), "router", "")
			require.NoError(t, err)
			require.Equal(t, "a-key-for-all", key)
		})
	}
	all.Wait()
	require.Equal(t, 1, asked())
}

func TestAProcessThatWorksForAnotherAsksThatOneForKeys(t *testing.T) {
	m := withProviders(map[string]settings.Provider{"router": {Kind: "anthropic"}})
	m.Ask = func(_ context.Context, provider, refused string) (string, error) {
		return fmt.Sprintf("key-of-%s-after-%q", provider, refused), nil
	}
	require.Empty(t, m.Missing("router/x"))
	key, err := m.Key(t.Context(), "router", "")
	require.NoError(t, err)
	require.Equal(t, `key-of-router-after-""`, key)
	key, err = m.Key(t.Context(), "router", key)
	require.NoError(t, err)
	require.Contains(t, key, "after-\"key-of-router")
}

// What one server has sealed is nothing to another, though both speak one API.
func TestReasoningGoesBackToTheServerThatWroteItAlone(t *testing.T) {
	m := withProviders(map[string]settings.Provider{"one": {Kind: "anthropic"}, "two": {Kind: "anthropic"}})
	one, _ := m.Provider("one")
	k := &keyed{set: m, of: one}
	history := []agent.Message{agent.Say("hello"), {Role: agent.RoleAssistant, Parts: []agent.Part{
		{Thinking: &agent.Thinking{Text: "mine", Provider: "one"}},
		{Thinking: &agent.Thinking{Text: "another's", Provider: "two"}},
		{Thinking: &agent.Thinking{Text: "Anthropic's", Provider: "anthropic"}},
		{Call: &agent.Call{Name: "read", Provider: "one"}},
		{Search: &agent.Search{Provider: "anthropic"}},
	}}}
	sent := k.renamed(history, "one", "anthropic")
	require.Equal(t, "anthropic", sent[1].Parts[0].Thinking.Provider)
	require.Equal(t, "two", sent[1].Parts[1].Thinking.Provider)
	require.Empty(t, sent[1].Parts[2].Thinking.Provider)
	require.Equal(t, "anthropic", sent[1].Parts[3].Call.Provider)
	require.Empty(t, sent[1].Parts[4].Search.Provider, "what another server found")
	require.Equal(t, "anthropic", history[1].Parts[4].Search.Provider)
	require.Equal(t, "one", history[1].Parts[0].Thinking.Provider, "the history stays as it is")
	back := k.renamed(sent[1:2], "anthropic", "one")
	require.Equal(t, "one", back[0].Parts[0].Thinking.Provider)
}
