package models

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
)

func TestTheUsersWordGoesBeforeWhatIsBuiltInFieldByField(t *testing.T) {
	number := func(n int) *int { return &n }
	money := func(p float64) *float64 { return &p }
	no := false
	m := setOf().With(map[string]settings.Model{
		"openai/*":                   {Context: number(1000)},
		"openai/gpt-5*":              {Thinking: &no},
		"openai/gpt-5.5":             {Context: number(500), Output: number(100), Images: &no},
		"anthropic/claude-haiku-5-5": {InputPrice: money(3), OutputPrice: money(4)},
		"anthropic/claude-opus-5-5":  {CachedPrice: money(0)},
		"openai-chat/mine":           {InputPrice: money(0), OutputPrice: money(0), Effort: []string{"high", "low"}},
		"openai-chat/odd":            {CachedPrice: money(1)},
		"ollama/rented":              {InputPrice: money(1), OutputPrice: money(2), CacheWritePrice: money(5)},
	})
	built := agent.InfoOf("openai/gpt-5.5")
	built.Context, built.Output, built.Limit, built.Images, built.Thinking = 500, 100, 100, agent.Unable, agent.Unable
	require.Equal(t, built, m.Info("openai/gpt-5.5"))
	require.Equal(t, 1000, m.Info("openai/gpt-4.1").Context)
	require.Equal(t, agent.InfoOf("openai-chat/gpt-5.5"), m.Info("openai-chat/gpt-5.5"), "another way of asking is another model")

	haiku := m.Info("anthropic/claude-haiku-5-5")
	require.Equal(t, agent.Prices{Input: 3, Cached: 3, Written: 3, Output: 4}, haiku.Prices)
	require.Zero(t, haiku.LongAt, "a price of one's own holds for any length")
	require.Zero(t, m.Info("anthropic/claude-opus-5-5").Prices.Cached, "a chosen 0 is one")
	require.True(t, m.Info("openai-chat/mine").Free)
	require.False(t, m.Info("openai-chat/odd").Priced(), "a part of a price is none")
	rented := m.Info("ollama/rented")
	require.False(t, rented.Free)
	require.Equal(t, agent.Prices{Input: 1, Cached: 1, Written: 5, Output: 2}, rented.Prices)
	require.Equal(t, agent.ModelInfo{Free: true, Efforts: []string{}}, m.Info("demo"))
	require.Equal(t, []string{"low", "high"}, m.Info("openai-chat/mine").Efforts, "in their order")
	require.Empty(t, m.Info("openai/gpt-4.1").Efforts)
	require.Nil(t, m.Info("openai-chat/odd").Efforts, "nothing is said of it")
}

func TestAnEntryForAProviderThatThereIsNotIsNamed(t *testing.T) {
	m := setOf().With(map[string]settings.Model{"antropic/claude": {Where: "config.toml:7"}})
	require.EqualError(t, CheckTable(m.Table, nil), `config.toml:7: models."antropic/claude": there is no provider "antropic"; did you mean "anthropic"?`)
	require.NoError(t, CheckTable(map[string]settings.Model{"openai-chat/x*": {}, "router/x": {}}, map[string]settings.Provider{"router": {Kind: "chat"}}))
}
