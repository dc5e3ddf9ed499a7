package agent

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Sizes to which a request for a summary cuts tool results and an earlier summary, in bytes.
const (
	shortResult  = 2_000
	shortSummary = 20_000
)

// shortened is a copy of a conversation of about most tokens: long results are cut, oldest
// first, then the oldest messages are left out. summarized says that the first message is
// a summary, which stays. Results stay with their calls, so any model accepts it.
func shortened(messages []Message, summed bool, most int64) []Message {
	short := slices.Clone(messages)
	for i, m := range short {
		if m.Role != RoleTool {
			continue
		}
		if estimate(short) <= most {
			return short
		}
		short[i].Parts = shortResults(m.Parts)
	}
	if estimate(short) <= most {
		return short
	}
	var kept []Message
	if summed {
		kept = []Message{Say(headAndTail(short[0].Text(), shortSummary))}
		short = short[1:]
	}
	kept = append(kept, Say("(Older messages are left out here: with them the request was too long.)"))
	return append(kept, newest(short, most-estimate(kept))...)
}

func shortResults(parts []Part) []Part {
	parts = slices.Clone(parts)
	for i, part := range parts {
		if part.Result == nil {
			continue
		}
		result := *part.Result
		result.Text, result.Images, result.Instructions = headAndTail(result.Text, shortResult), nil, nil
		parts[i].Result = &result
	}
	return parts
}

// newest is the longest end of a conversation, starting where one can, that fits into most
// tokens; at least one message.
func newest(messages []Message, most int64) []Message {
	from := len(messages)
	var sum int64
	for i := len(messages) - 1; i >= 0; i-- {
		sum += estimate(messages[i : i+1])
		if sum > most && from < len(messages) {
			break
		}
		if messages[i].Role != RoleTool { // a result never comes before its call
			from = i
		}
	}
	return messages[from:]
}

// headAndTail keeps the beginning and the end of a long text, two to one, and notes how
// much is left out. most is in bytes, without the note.
func headAndTail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := most*2/3, len(text)-most/3
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}
