package tools

import (
	"context"
	"unicode/utf8"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/outputs"
)

// resultText is how many characters one result tells a model: about 8,000 tokens,
// so that a dozen long results do not fill its window.
const resultText = 30_000

// Bounded holds what tools tell a model to resultText characters: of more it gets
// the start and the end, and the whole is kept in store for read and grep.
func Bounded(all []agent.Tool, store *outputs.Store) []agent.Tool {
	bounded := make([]agent.Tool, len(all))
	for i, tool := range all {
		name, run := tool.Spec.Name, tool.Run
		tool.Run = func(ctx context.Context, call agent.Invocation) agent.Result {
			result := run(ctx, call)
			whole := result.Text
			if words.First(whole, resultText) == whole {
				return result
			}
			result.Text = shorten(whole, func(text string) outputs.Kept { return store.Keep(name, text) })
			if view, plain := result.View.(agent.PlainView); plain && view.Text == whole {
				result.View = agent.PlainView{Text: result.Text}
			}
			return result
		}
		bounded[i] = tool
	}
	return bounded
}

// shorten cuts a text that is too long: a JSON object in its longest texts, so that
// it stays one. What it cuts is kept.
func shorten(whole string, keep func(string) outputs.Kept) string {
	if text, ok := shortenObject(whole, keep); ok {
		return text
	}
	return middleOut(whole, resultText, keep(whole))
}

// middleOut leaves out the middle of a text, so that what stays, the line about it
// included, has at most so many characters.
func middleOut(text string, most int, kept outputs.Kept) string {
	total := int64(len(text))
	half := max(0, most-2-utf8.RuneCountInString(kept.Gap(total, total))) / 2
	front, back := words.First(text, half), words.Last(text, half)
	cut := total - int64(len(front)+len(back))
	return front + "\n" + kept.Gap(cut, total) + "\n" + back
}
