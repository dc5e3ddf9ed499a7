package agent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestAModelCostsWhatItsOwnNameCosts(t *testing.T) {
	for model, output := range map[string]float64{
		"claude-sonnet-5-5":                     10,
		"claude-sonnet-4-5-20250929":            15,
		"claude-opus-4-6":                       25,
		"claude-opus-4-1-20250805":              75,
		"claude-opus-4-20250514":                75,
		"claude-opus-4-9":                       0, // not a snapshot of claude-opus-4
		"claude-opus-5-5":                       20,
		"claude-3-7-sonnet-latest":              15,
		"gpt-5":                                 10,
		"gpt-5-2025-08-07":                      10,
		"gpt-5-mini":                            2,
		"gpt-5-pro":                             120,
		"gpt-5-audio":                           0,
		"gpt-5.5":                               30,
		"gpt-5.5-2026-04-23":                    30,
		"gpt-5.9":                               0,
		"gpt-50":                                0,
		"gemini-2.5-flash-lite":                 0.4,
		"gemini-2.5-flash-lite-preview-09-2025": 0.4,
		"gemini-2.5-flash-001":                  2.5,
		"gemini-3-pro-preview":                  12,
		"gemini-3-pro-image-preview":            0,
		"qwen3":                                 0,
		"-latest":                               0,
		"":                                      0,
	} {
		require.InDelta(t, output, InfoOf("openai-chat/"+model).Prices.Output, 0, model)
	}
}

func TestWhatOnesOwnServerRunsCostsNothingWhateverItsName(t *testing.T) {
	for _, model := range []string{"ollama/gpt-5", "ollama/qwen3", "demo"} {
		info := InfoOf(model)
		info.Efforts = nil
		require.Equal(t, ModelInfo{Free: true}, info, model)
		require.True(t, InfoOf(model).Priced())
	}
	require.False(t, InfoOf("openai-chat/qwen3").Priced())
}

func TestEachPartOfTheInputHasItsPrice(t *testing.T) {
	u := lifecycle.Usage{InputTokens: 90_000, CachedTokens: 50_000, CacheWriteTokens: 30_000, OutputTokens: 1000}
	haiku := InfoOf("anthropic/claude-haiku-5-5")
	require.InDelta(t, (10_000*0.1+50_000*0.01+30_000*0.125+1000*0.5)/1e6, haiku.Cost(u), 1e-12)
	u.InputTokens = 100_000
	require.InDelta(t, (20_000*0.1+50_000*0.01+30_000*0.125+1000*0.5)/1e6, haiku.Cost(u), 1e-12, "up to the line")
	u.InputTokens = 100_001
	require.InDelta(t, (20_001*0.5+50_000*0.05+30_000*0.625+1000*2.5)/1e6, haiku.Cost(u), 1e-12, "beyond it all of the request is dearer")

	plain := InfoOf("openai/gpt-5.5-pro")
	require.InDelta(t, 80_000*30.0/1e6, plain.Cost(lifecycle.Usage{InputTokens: 80_000, CachedTokens: 70_000}), 1e-12, "no price for a cache is no discount")
	require.InDelta(t, 0.0, plain.Cost(lifecycle.Usage{CachedTokens: 0, InputTokens: 0}), 0)
}

func TestTheTableHoldsTogether(t *testing.T) {
	for name, known := range table {
		require.Positive(t, known.Context, name)
		require.Positive(t, known.Output, name)
		require.Less(t, known.Output, known.Context, name)
		p := known.Prices
		require.Equal(t, p.Input == 0, p.Output == 0, name)
		require.LessOrEqual(t, p.Cached, p.Input, name)
		require.GreaterOrEqual(t, p.Written, p.Input, name)
		require.GreaterOrEqual(t, p.Output, p.Input, name)
		require.Equal(t, known.LongAt > 0, known.Long != Prices{}, name)
		require.Zero(t, known.Limit, name)
		require.NotNil(t, known.Efforts, name)
		require.Subset(t, lifecycle.EffortLevels(), known.Efforts, name)
		if known.Thinking == Unable {
			require.Empty(t, known.Efforts, name)
		}
	}
	require.Len(t, ListedModels(), len(table))
	require.IsIncreasing(t, ListedModels())
}

func TestAServersWordFillsWhatNobodyKnows(t *testing.T) {
	offer := ModelListing{Name: "m", Context: 1, Output: 2, Images: Able, Thinking: Unable, Efforts: []string{"low"}}
	require.Equal(t, ModelInfo{Context: 1, Output: 2, Images: Able, Thinking: Unable, Efforts: []string{"low"}}, ModelInfo{}.Fill(offer))
	known := ModelInfo{Context: 10, Output: 20, Images: Unable, Thinking: Able, Efforts: []string{}}
	require.Equal(t, known, known.Fill(offer))
	require.Equal(t, known, known.Fill(ModelListing{}))
}
