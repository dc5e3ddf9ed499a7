package agent

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// What a request for a summary leaves of a tool's result that has to be
// shortened, and of an earlier summary, in bytes.
const (
	shortResult  = 2_000
	shortSummary = 20_000
)

// shortened is a conversation that takes about this many tokens at most: long
// results are cut, oldest first, then the oldest messages are left out. summed
// says that the first is a summary, which stays. The messages themselves are left
// as they are. Results keep their calls, so any model takes it.
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
		result.Text, result.Images = headAndTail(result.Text, shortResult), nil
		parts[i].Result = &result
	}
	return parts
}

// newest is the end of a conversation, from a place where it can begin: the most
// of it that takes this many tokens, or the least that there is.
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

// headAndTail keeps the beginning and the end of a long text, two parts to one,
// and says how much is left out. most is in bytes, without that note.
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
