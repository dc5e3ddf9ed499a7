package agent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAModelCostsWhatItsOwnNameCosts(t *testing.T) {
	for model, output := range map[string]float64{
		"claude-sonnet-5-5":          10,
		"claude-sonnet-4-5-20250929": 15,
		"claude-opus-4-6":            25,
		"claude-opus-4-1-20250805":   75,
		"claude-opus-5-5":            0,
		"gpt-5":                      10,
		"gpt-5-2025-08-07":           10,
		"gpt-5-mini":                 2,
		"gpt-5-pro":                  0,
		"gpt-5.5":                    30,
		"gpt-5.5-2026-04-23":         30,
		"gpt-5.1":                    0,
		"gpt-50":                     0,
		"gemini-2.5-flash-lite":      0.4,
		"qwen3":                      0,
		"":                           0,
	} {
		require.InDelta(t, output, PricesOf(model).Output, 0, model)
	}
}
