package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
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

// shorten cuts a text that is too long: a JSON object in its longest text, so that
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

// shortenObject does so with the longest text among an object's fields. It says no
// where that is not what makes the object long.
func shortenObject(whole string, keep func(string) outputs.Kept) (string, bool) {
	fields, ok := fieldsOf(whole)
	if !ok {
		return "", false
	}
	longest := 0
	for i, field := range fields {
		if len(field) > len(fields[longest]) {
			longest = i
		}
	}
	var text string
	if len(fields) == 0 || json.Unmarshal(fields[longest], &text) != nil || len(whole)-len(fields[longest]) > resultText/2 {
		return "", false
	}
	kept := keep(text)
	// Written as JSON a text is longer than its characters: try, and take less.
	for most := resultText; ; most = most * 3 / 4 {
		fields[longest] = json.RawMessage(marshal(middleOut(text, most, kept)))
		if short := object(fields); most < resultText/16 || words.First(short, resultText) == short {
			return short, true
		}
	}
}

// fieldsOf takes an object apart into names and values, in their order.
func fieldsOf(text string) ([]json.RawMessage, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var fields []json.RawMessage
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil, false
		}
		fields = append(fields, json.RawMessage(marshal(name)), value)
	}
	_, err := decoder.Token()
	return fields, err == nil && !decoder.More()
}

func object(fields []json.RawMessage) string {
	var b bytes.Buffer
	for i, field := range fields {
		switch {
		case i == 0:
			b.WriteByte('{')
		case i%2 == 0:
			b.WriteByte(',')
		default:
			b.WriteByte(':')
		}
		b.Write(field)
	}
	b.WriteByte('}')
	return b.String()
}
