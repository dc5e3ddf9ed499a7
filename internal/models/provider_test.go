package models

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
)

// withProviders is a Set with the user's providers.
func withProviders(said map[string]settings.Provider, environ ...string) *Set {
	return New(environ, nil, 0).WithProviders(said)
}

func TestAnEntryOfABuiltInNameOverridesItFieldByField(t *testing.T) {
	m := withProviders(map[string]settings.Provider{
		"openai":      {BaseURL: "https://proxy.example/v1"},
		"anthropic":   {KeyEnv: "WORK_KEY"},
		"gemini":      {KeyCommand: []string{"printer"}},
		"openai-chat": {Headers: map[string]string{"X-Team": "${TEAM:-none}"}},
	}, "OPENAI_API_KEY=k", "OPENAI_BASE_URL=https://elsewhere.example", "ANTHROPIC_API_KEY=usual", "GEMINI_API_KEY=usual")
	require.Equal(t, "https://proxy.example/v1", m.AddressOf("openai/x"), "the settings before the variable")
	require.Equal(t, "https://elsewhere.example", m.AddressOf("openai-chat/x"))
	require.Equal(t, "WORK_KEY", m.Missing("anthropic/x"), "an entry that names its key does without the usual variable")
	gemini, _ := m.Provider("gemini")
	require.Equal(t, "its key_command (printer)", m.KeyFrom(gemini))
	require.Empty(t, m.Missing("gemini/x"))
	require.Empty(t, m.Missing("openai/x"))
	chat, _ := m.Provider("openai-chat")
	headers, err := chat.headers(m.Env)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"X-Team": "none"}, headers)
	require.Equal(t, []string{"gemini", "openai", "openai-chat"}, named(m.Servers("")), "two servers now")
}

func named(all []Provider) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	for i := range names { // by name, whatever their order
		for j := range names[:i] {
			if names[j] > names[i] {
				names[i], names[j] = names[j], names[i]
			}
		}
	}
	return names
}

func TestAProviderOfTheUsersNeedsAKeyOnlyWhereItSaysSo(t *testing.T) {
	m := withProviders(map[string]settings.Provider{
		"local":   {Kind: "chat", BaseURL: "http://127.0.0.1:1234/v1"},
		"box":     {Kind: "ollama", BaseURL: "box:11434"},
		"router":  {Kind: "chat", BaseURL: "https://router.example/v1", KeyEnv: "ROUTER_KEY"},
		"second":  {Kind: "anthropic"},
		"gateway": {Kind: "anthropic", BaseURL: "https://gateway.example", Headers: map[string]string{"Authorization": "Bearer ${GATEWAY}"}},
		"vault":   {Kind: "openai", KeyCommand: []string{"printer"}},
	})
	for model, missing := range map[string]string{
		"local/x": "", "box/x": "", "gateway/x": "", "vault/x": "", "router/x": "ROUTER_KEY", "second/x": "a key for second", "demo": "",
	} {
		require.Equal(t, missing, m.Missing(model), model)
	}
	require.Contains(t, m.Unready("second/x"), "run pawl login second")
	require.Contains(t, m.Unready("router/x"), "run pawl login router, or set it and start Pawl again")
	require.Equal(t, "demo", first(m.Choose("", "", "")), "whose models nobody knows is not chosen")
	require.Contains(t, m.NoKey(), "box/…, gateway/…, local/…, vault/…")
	require.ErrorContains(t, m.Check("rooter/x"), `did you mean "router"?`)
	require.Contains(t, m.Withheld(), "ROUTER_KEY")
	require.Contains(t, m.Withheld(), "GATEWAY")
	require.Contains(t, m.Withheld(), "OLLAMA_HOST")
}

func first(model string, _ bool) string { return model }

// A server may call anything gpt-5.5.
func TestWhatIsKnownByNameHoldsForTheMakersOwnServers(t *testing.T) {
	number := func(n int) *int { return &n }
	m := withProviders(map[string]settings.Provider{
		"router": {Kind: "chat", BaseURL: "https://router.example/v1"},
		"work":   {Kind: "openai", KeyEnv: "WORK"},
		"home":   {Kind: "anthropic", BaseURL: "https://API.anthropic.com"},
		"box":    {Kind: "ollama", BaseURL: "http://box:11434"},
	}, "OPENAI_BASE_URL=https://elsewhere.example").With(map[string]settings.Model{"router/big*": {Context: number(5)}})
	require.Equal(t, agent.InfoOf("openai/gpt-5.5"), m.Info("work/gpt-5.5"))
	require.Equal(t, agent.InfoOf("anthropic/claude-opus-5-5"), m.Info("home/claude-opus-5-5"))
	require.Equal(t, agent.ModelInfo{}, m.Info("router/gpt-5.5"))
	require.Equal(t, 5, m.Info("router/big-one").Context)
	require.Equal(t, agent.ModelInfo{Free: true}, m.Info("box/qwen3"))
	require.Equal(t, agent.InfoOf("openai/gpt-5.5"), m.Info("openai/gpt-5.5"), "a built-in name as ever")
}

func TestWhatShowsAServerWhoAsksIsASecret(t *testing.T) {
	m := withProviders(map[string]settings.Provider{
		"router": {Kind: "chat", KeyEnv: "ROUTER", Headers: map[string]string{
			"Authorization": "Basic dXNlcjpwYXNzd29yZA", "api-key": "written-into-it", "X-Team": "${TEAM}", "X-Title": "written by Pawl",
		}},
	}, "ROUTER=a-key-from-a-variable", "TEAM=a-team-of-the-environment")
	text := m.Hide().Text("a-key-from-a-variable dXNlcjpwYXNzd29yZA written-into-it a-team-of-the-environment written by Pawl")
	require.Equal(t, "[masked] [masked] [masked] [masked] written by Pawl", text)
}
