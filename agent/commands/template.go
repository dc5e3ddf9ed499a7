package commands

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// piece is a part of a command's text. The text is split before anything is put into it, so that
// nothing in an argument or an output is taken for a place.
type piece struct {
	kind  kind
	text  string  // of plain
	at    int     // of argument, from 1; 0: all of them
	parts []piece // of program: its line
}

type kind int

const (
	plain kind = iota
	argument
	program
)

// marks finds the places of a text: $ARGUMENTS, $ARGUMENTS[0], $1, and behind a backslash what
// only looks like one.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\?\$(?:ARGUMENTS(?:\[(\d{1,3})\])?|([1-9])(?:\b|[^0-9]))`)
})

// parse splits a command's text.
func parse(body string) []piece {
	var all []piece
	eachProgram(body, func(before, line string) {
		all = append(all, arguments(before)...)
		all = append(all, piece{kind: program, parts: arguments(line)})
	}, func(rest string) { all = append(all, arguments(rest)...) })
	return all
}

// eachProgram gives the lines of programs in a text, each with the text before it, and the rest:
// !`command` where a word begins, and blocks of code that open with three backticks and a !.
func eachProgram(body string, found func(before, line string), rest func(string)) {
	from := 0 // what is before it has been looked at
	for {
		at := strings.Index(body[from:], "!")
		if at < 0 {
			rest(body)
			return
		}
		at += from
		start, line, end := programAt(body, at)
		if from = at + 1; end > 0 && line != "" {
			found(body[:start], line)
			body, from = body[end:], 0
		}
	}
}

// programAt reads the program whose mark is at a place; end is 0 if there is none.
func programAt(body string, at int) (start int, line string, end int) {
	switch before, rest := body[:at], body[at+1:]; {
	case strings.HasPrefix(rest, "`") && (before == "" || strings.ContainsAny(before[at-1:], " \t\n([{\"'>")):
		line, _, closed := strings.Cut(rest[1:], "`")
		if closed && !strings.Contains(line, "\n") {
			return at, strings.TrimSpace(line), at + 2 + len(line) + 1
		}
	case before == fence || strings.HasSuffix(before, "\n"+fence):
		opening, _, _ := strings.Cut(rest, "\n")
		block, after, closed := strings.Cut(rest[len(opening):], "\n"+fence)
		if closing, _, _ := strings.Cut(after, "\n"); closed && strings.TrimSpace(opening) == "" && strings.TrimSpace(closing) == "" {
			return at - len(fence), strings.TrimSpace(block), len(body) - len(after) + len(closing)
		}
	}
	return 0, "", 0
}

// fence opens and closes a block of code.
const fence = "```"

// arguments splits a text at the places of arguments.
func arguments(text string) []piece {
	var all []piece
	add := func(s string) {
		if s != "" {
			all = append(all, piece{text: s})
		}
	}
	for strings.Contains(text, "$") {
		at := marks().FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		end := at[1]
		if at[4] >= 0 {
			end = at[5] // a digit was looked at beyond it
		}
		add(text[:at[0]])
		switch {
		case text[at[0]] == '\\':
			add(text[at[0]+1 : end])
		case at[2] >= 0:
			n, _ := strconv.Atoi(text[at[2]:at[3]])
			all = append(all, piece{kind: argument, at: n + 1})
		case at[4] >= 0:
			n, _ := strconv.Atoi(text[at[4]:at[5]])
			all = append(all, piece{kind: argument, at: n})
		default:
			all = append(all, piece{kind: argument})
		}
		text = text[end:]
	}
	add(text)
	return all
}

// takesArguments reports whether a text has a place for arguments.
func takesArguments(pieces []piece) bool {
	for _, p := range pieces {
		if p.kind == argument || p.kind == program && takesArguments(p.parts) {
			return true
		}
	}
	return false
}

// Programs lists the command lines that a command's text names, as they stand in it.
func (c Command) Programs() []string {
	var lines []string
	eachProgram(c.Body, func(_, line string) { lines = append(lines, line) }, func(string) {})
	return lines
}
