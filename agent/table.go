package agent

import (
	"maps"
	"slices"
	"strings"
)

// table holds what is known of models by name, as published for the standard tier in
// November 2026 by Anthropic (platform.claude.com), OpenAI (developers.openai.com) and
// Google (ai.google.dev), and by models.dev, which quotes them, for what those pages no
// longer show. Instead of a price with an end date it has the one that follows. What could
// not be confirmed is left out. A user's settings take precedence.
//
// Levels of effort are those of platform.claude.com/docs/en/build-with-claude/effort,
// developers.openai.com/api/docs/guides/reasoning with the pages of the models, and
// ai.google.dev/gemini-api/docs/thinking.
//
// Prices are for input, cache reads, cache writes and output. Cache writes are for five
// minutes at Anthropic and thirty at OpenAI, which is what Pawl asks for.
var table = map[string]ModelInfo{
	"claude-fable-5-1":  standardModel(1_000_000, 128_000, 10, 0.25, 12.5, 50).takes(toMax),
	"claude-fable-5":    standardModel(1_000_000, 128_000, 10, 1, 12.5, 50).takes(toMax),
	"claude-opus-5-5":   standardModel(1_000_000, 128_000, 4, 0.2, 5, 20).takes(toMax),
	"claude-opus-5":     standardModel(1_000_000, 128_000, 5, 0.5, 6.25, 25).takes(toMax),
	"claude-opus-4-8":   standardModel(1_000_000, 128_000, 5, 0.5, 6.25, 25).takes(toMax),
	"claude-opus-4-7":   standardModel(1_000_000, 128_000, 5, 0.5, 6.25, 25).takes(toMax),
	"claude-opus-4-6":   standardModel(1_000_000, 128_000, 5, 0.5, 6.25, 25).takes(noXHigh),
	"claude-opus-4-5":   standardModel(200_000, 64_000, 5, 0.5, 6.25, 25).takes(toHigh),
	"claude-opus-4-1":   standardModel(200_000, 32_000, 15, 1.5, 18.75, 75).takes(noXHigh),
	"claude-opus-4-0":   standardModel(200_000, 32_000, 15, 1.5, 18.75, 75).takes(noXHigh),
	"claude-opus-4":     standardModel(200_000, 32_000, 15, 1.5, 18.75, 75).takes(noXHigh),
	"claude-sonnet-5-5": standardModel(1_000_000, 128_000, 2, 0.1, 2.5, 10).takes(toMax),
	"claude-sonnet-5":   standardModel(1_000_000, 128_000, 2, 0.2, 2.5, 10).takes(toMax),
	"claude-sonnet-4-6": standardModel(1_000_000, 64_000, 3, 0.3, 3.75, 15).takes(noXHigh),
	"claude-sonnet-4-5": standardModel(200_000, 64_000, 3, 0.3, 3.75, 15).takes(noXHigh),
	"claude-sonnet-4-0": standardModel(200_000, 64_000, 3, 0.3, 3.75, 15).takes(noXHigh),
	"claude-sonnet-4":   standardModel(200_000, 64_000, 3, 0.3, 3.75, 15).takes(noXHigh),
	"claude-haiku-5-5":  standardModel(1_000_000, 128_000, 0.1, 0.01, 0.125, 0.5).pricierAbove(100_000, 5, 5).takes(toMax),
	"claude-haiku-4-5":  standardModel(200_000, 64_000, 1, 0.1, 1.25, 5).takes(noXHigh),
	"claude-3-7-sonnet": standardModel(200_000, 64_000, 3, 0.3, 3.75, 15).takes(noXHigh),
	"claude-3-5-sonnet": standardModel(200_000, 8192, 3, 0.3, 3.75, 15).withoutThinking(),
	"claude-3-5-haiku":  standardModel(200_000, 8192, 0.8, 0.08, 1, 4).withoutThinking(),
	"claude-3-opus":     standardModel(200_000, 4096, 15, 1.5, 18.75, 75).withoutThinking(),
	"claude-3-sonnet":   standardModel(200_000, 4096, 0, 0, 0, 0).withoutThinking(),
	"claude-3-haiku":    standardModel(200_000, 4096, 0.25, 0.03, 0.3, 1.25).withoutThinking(),

	"gpt-6.2-sol":        standardModel(1_050_000, 128_000, 2, 0.1, 2.5, 10).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-6.1-sol":        standardModel(1_050_000, 128_000, 2, 0.1, 2.5, 10).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-6.1-terra":      standardModel(1_050_000, 128_000, 1, 0.05, 1.25, 5).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-6-astra":        standardModel(1_050_000, 128_000, 10, 1, 12.5, 50).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-6-sol":          standardModel(1_050_000, 128_000, 2, 0.2, 2.5, 10).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-6-luna":         standardModel(1_050_000, 128_000, 0.1, 0.01, 0.125, 0.5).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-5.6":            standardModel(1_050_000, 128_000, 4, 0.4, 5, 20).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-5.6-sol":        standardModel(1_050_000, 128_000, 4, 0.4, 5, 20).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-5.6-terra":      standardModel(1_050_000, 128_000, 2, 0.2, 2.5, 12).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-5.6-luna":       standardModel(1_050_000, 128_000, 0.2, 0.02, 0.25, 1.2).pricierAbove(272_000, 2, 1.5).takes(toMax),
	"gpt-5.5":            standardModel(1_050_000, 128_000, 5, 0.5, 0, 30).pricierAbove(272_000, 2, 1.5).takes(toXHigh),
	"gpt-5.5-pro":        standardModel(1_050_000, 128_000, 30, 0, 0, 180).pricierAbove(272_000, 2, 1.5).takes("medium high xhigh"),
	"gpt-5.4":            standardModel(1_050_000, 128_000, 2.5, 0.25, 0, 15).pricierAbove(272_000, 2, 1.5).takes(toXHigh),
	"gpt-5.4-pro":        standardModel(1_050_000, 128_000, 30, 0, 0, 180).pricierAbove(272_000, 2, 1.5).takes("medium high xhigh"),
	"gpt-5.4-mini":       standardModel(400_000, 128_000, 0.75, 0.075, 0, 4.5).takes(toXHigh),
	"gpt-5.4-nano":       standardModel(400_000, 128_000, 0.2, 0.02, 0, 1.25).takes(toXHigh),
	"gpt-5.3-codex":      standardModel(400_000, 128_000, 1.75, 0.175, 0, 14).takes(toXHigh),
	"gpt-5.2":            standardModel(400_000, 128_000, 1.75, 0.175, 0, 14).takes(toXHigh),
	"gpt-5.2-pro":        standardModel(400_000, 128_000, 21, 0, 0, 168).takes("medium high xhigh"),
	"gpt-5.1":            standardModel(400_000, 128_000, 1.25, 0.125, 0, 10).takes(toHigh),
	"gpt-5.1-codex":      standardModel(400_000, 128_000, 1.25, 0.125, 0, 10).takes(toHigh),
	"gpt-5.1-codex-max":  standardModel(400_000, 128_000, 1.25, 0.125, 0, 10).takes(toXHigh),
	"gpt-5.1-codex-mini": standardModel(400_000, 128_000, 0.25, 0.025, 0, 2).takes(toHigh),
	"gpt-5":              standardModel(400_000, 128_000, 1.25, 0.125, 0, 10).takes(toHigh),
	"gpt-5-codex":        standardModel(400_000, 128_000, 1.25, 0.125, 0, 10).takes(toHigh),
	"gpt-5-pro":          standardModel(400_000, 272_000, 15, 0, 0, 120).takes("high"),
	"gpt-5-mini":         standardModel(400_000, 128_000, 0.25, 0.025, 0, 2).takes(toHigh),
	"gpt-5-nano":         standardModel(400_000, 128_000, 0.05, 0.005, 0, 0.4).takes(toHigh),
	"gpt-4.1":            standardModel(1_047_576, 32_768, 2, 0.5, 0, 8).withoutThinking(),
	"gpt-4.1-mini":       standardModel(1_047_576, 32_768, 0.4, 0.1, 0, 1.6).withoutThinking(),
	"o4-mini":            standardModel(200_000, 100_000, 1.1, 0.275, 0, 4.4).takes(toHigh),
	"o3":                 standardModel(200_000, 100_000, 2, 0.5, 0, 8).takes(toHigh),
	"o3-mini":            standardModel(200_000, 100_000, 1.1, 0.55, 0, 4.4).withoutImages().takes(toHigh),

	"gemini-4-carbon":       standardModel(1_048_576, 65_536, 4, 0.2, 0, 20).takes(toHigh).searchAt(0.014),
	"gemini-4-argon":        standardModel(1_048_576, 65_536, 4, 0.2, 0, 20).takes(toHigh).searchAt(0.014),
	"gemini-3.8-flash":      standardModel(1_048_576, 65_536, 1.5, 0.15, 0, 7.5).takes(toHigh).searchAt(0.014),
	"gemini-3.7-flash":      standardModel(1_048_576, 65_536, 1.5, 0.15, 0, 7.5).takes(toHigh).searchAt(0.014),
	"gemini-3.5-flash":      standardModel(1_048_576, 65_536, 1.5, 0.15, 0, 9).takes(toHigh).searchAt(0.014),
	"gemini-3.5-flash-lite": standardModel(1_048_576, 65_536, 0, 0, 0, 0).thinkingUnknown().takes(toHigh).searchAt(0.014),
	"gemini-3.1-pro":        standardModel(1_048_576, 65_536, 2, 0.2, 0, 12).pricierAbove(200_000, 2, 1.5).takes(toHigh).searchAt(0.014),
	"gemini-3.1-flash-lite": standardModel(1_048_576, 65_536, 0.25, 0.025, 0, 1.5).thinkingUnknown().takes(toHigh).searchAt(0.014),
	"gemini-3-pro":          standardModel(1_048_576, 65_536, 2, 0.2, 0, 12).pricierAbove(200_000, 2, 1.5).takes("low high").searchAt(0.014),
	"gemini-3-flash":        standardModel(1_048_576, 65_536, 0.5, 0.05, 0, 3).takes(toHigh).searchAt(0.014),
	"gemini-2.5-pro":        standardModel(1_048_576, 65_536, 1.25, 0.125, 0, 10).pricierAbove(200_000, 2, 1.5).takes(noXHigh).searchAt(0.035),
	"gemini-2.5-flash":      standardModel(1_048_576, 65_536, 0.3, 0.03, 0, 2.5).takes(toHigh).searchAt(0.035),
	"gemini-2.5-flash-lite": standardModel(1_048_576, 65_536, 0.1, 0.01, 0, 0.4).thinkingUnknown().takes(toHigh).searchAt(0.035),
}

// perSearch is what a search by the model's own server costs at Anthropic and OpenAI, in US
// dollars, beside the tokens of what it finds. At Google it costs more: from Gemini 3 on by what is
// searched for, before that by the answer (ai.google.dev/gemini-api/docs/pricing).
const perSearch = 0.01

// Levels of effort that models take.
const (
	toHigh  = "low medium high"
	toXHigh = "low medium high xhigh"
	noXHigh = "low medium high max"
	toMax   = "low medium high xhigh max"
)

// standardModel takes images and thinks, as nearly all models do. It takes no effort.
func standardModel(context, output int, in, cached, written, out float64) ModelInfo {
	return ModelInfo{
		Context: context, Output: output, Images: Able, Thinking: Able, Efforts: []string{}, Search: perSearch,
		Prices: Prices{Input: in, Cached: cached, Written: written, Output: out}.WithCacheDefaults(),
	}
}

// pricierAbove multiplies the prices of requests with more than tokens of input: by in for
// input and caches, by out for output.
func (m ModelInfo) pricierAbove(tokens int64, in, out float64) ModelInfo {
	m.LongAt = tokens
	m.Long = Prices{Input: m.Prices.Input * in, Cached: m.Prices.Cached * in, Written: m.Prices.Written * in, Output: m.Prices.Output * out}
	return m
}

// takes says which levels of effort a model takes. For those with a budget for thinking in
// place of a level, which are the Claudes before 4.6 but Opus 4.5, and the Geminis before 3,
// a budget stands for each.
func (m ModelInfo) takes(levels string) ModelInfo {
	m.Efforts = strings.Fields(levels)
	return m
}

// searchAt is the price of a search where it is another.
func (m ModelInfo) searchAt(price float64) ModelInfo {
	m.Search = price
	return m
}

func (m ModelInfo) withoutThinking() ModelInfo {
	m.Thinking = Unable
	return m
}

// thinkingUnknown marks a model that thinks only if told how much, which Pawl tells only
// Claude. Some refuse to show thinking that they do not do.
func (m ModelInfo) thinkingUnknown() ModelInfo {
	m.Thinking = Unknown
	return m
}

func (m ModelInfo) withoutImages() ModelInfo {
	m.Images = Unable
	return m
}

// ListedModels lists the names in the table, without a provider, sorted.
func ListedModels() []string { return slices.Sorted(maps.Keys(table)) }

// findModel finds a model by its name or by the name it is a snapshot of. Other suffixes
// mean another model: gpt-5-pro is not a kind of gpt-5.
func findModel(name string) ModelInfo {
	if info, here := table[name]; here {
		return info
	}
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '-' && snapshot(name[i+1:]) {
			if info, here := table[name[:i]]; here {
				return info
			}
		}
	}
	return ModelInfo{}
}

// snapshot reports whether a suffix of a model's name is a date, a build or a stage:
// "20250929", "2025-08-07", "001", "preview-06-05", "latest".
func snapshot(suffix string) bool {
	for i, word := range strings.Split(suffix, "-") {
		stage := word == "latest" || word == "preview" || word == "exp"
		number := word != "" && strings.Trim(word, "0123456789") == ""
		if i == 0 && len(word) < 3 {
			number = false // claude-opus-4-5 is not a claude-opus-4
		}
		if !stage && !number {
			return false
		}
	}
	return true
}
