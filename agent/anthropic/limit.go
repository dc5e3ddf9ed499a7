package anthropic

import "strings"

// limit is how many tokens an answer may have: what was asked for, or what the
// model can give, since the API requires a figure.
//
// The figures are "max output" in Anthropic's models overview
// (platform.claude.com/docs/en/about-claude/models/overview) by the longest
// prefix of a model's name, capped at 64,000: the newest models take 128,000, but
// an answer that long is a run that went astray. A compatible server's own
// models get the least that those in use take, for some refuse more.
func limit(model string, asked int) int64 {
	if asked > 0 {
		return int64(asked)
	}
	name := model[strings.LastIndexByte(model, '/')+1:] // gateways put the maker before it
	best, tokens := "", int64(8192)
	for prefix, n := range map[string]int64{
		"claude-":           64000, // all from claude-3-7 on, but for these:
		"claude-opus-4-0":   32000,
		"claude-opus-4-1":   32000,
		"claude-opus-4-202": 32000, // claude-opus-4-20250514
		"claude-3-5":        8192,
		"claude-3-haiku":    4096,
		"claude-3-opus":     4096,
		"claude-3-sonnet":   4096,
	} {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best, tokens = prefix, n
		}
	}
	return tokens
}
