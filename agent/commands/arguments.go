package commands

import (
	"strings"
	"unicode"
)

// Split splits arguments as a command of a file gets them.
func Split(args string) []string { return split(args) }

// split splits arguments as a shell splits words: at spaces, but not within quotes, which it
// removes; a backslash takes the next character as it is. A quote that is not closed is only a
// character, as in "it's".
func split(args string) []string {
	var (
		all    []string
		word   strings.Builder
		inWord bool
	)
	runes := []rune(args)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case unicode.IsSpace(r):
			if inWord {
				all = append(all, word.String())
			}
			word.Reset()
			inWord = false
		case r == '\\' && i+1 < len(runes):
			i++
			word.WriteRune(runes[i])
			inWord = true
		case (r == '"' || r == '\'') && closes(runes, i) > 0:
			i = quoted(runes, i, &word)
			inWord = true
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		all = append(all, word.String())
	}
	return all
}

// closes is where the quote that opens at a place is closed; 0: nowhere.
func closes(runes []rune, at int) int {
	for i := at + 1; i < len(runes); i++ {
		switch {
		case runes[i] == '\\' && runes[at] == '"':
			i++
		case runes[i] == runes[at]:
			return i
		}
	}
	return 0
}

// quoted adds what stands in the quotes that open at a place, and returns where they close. In
// double quotes a backslash is for a quote or a backslash.
func quoted(runes []rune, at int, word *strings.Builder) int {
	end := closes(runes, at)
	for i := at + 1; i < end; i++ {
		if runes[at] == '"' && runes[i] == '\\' && (runes[i+1] == '"' || runes[i+1] == '\\') {
			i++
		}
		word.WriteRune(runes[i])
	}
	return end
}
