package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pawl/internal/words"
	"pawl/ui/draw"
)

// query is what a search looks for. Without a capital it finds any case; and any
// white space finds any, so that what is wrapped is found too.
type query struct {
	text  string // with single spaces
	exact bool
}

func newQuery(typed string) query {
	exact := strings.ContainsFunc(typed, unicode.IsUpper)
	return query{text: flat(typed, exact), exact: exact}
}

// sought is the text of a block as searches read it.
type sought struct{ exact, low string }

// in counts how often the words stand in a text.
func (w query) in(s sought) int {
	if w.text == "" {
		return 0
	}
	if w.exact {
		return strings.Count(s.exact, w.text)
	}
	return strings.Count(s.low, w.text)
}

// flat is text with a single space for all white space and, unless it is to be
// exact, without capitals. A rune whose small letter has another length keeps its
// case, so that places in the text stay places.
func flat(text string, exact bool) string {
	text = words.Line(text)
	if exact {
		return text
	}
	return lower(text)
}

func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, text)
}

// stretch is a piece of one drawn line: bytes of what is seen of it. A match that
// is wrapped has several with the same number.
type stretch struct{ line, from, to, match int }

// stretches finds the words in drawn lines, also where they are broken in two.
func (w query) stretches(lines []draw.Styled) []stretch {
	if w.text == "" {
		return nil
	}
	text, places := spread(lines, w.exact)
	var all []stretch
	match := 0
	for from := 0; ; match++ {
		at := strings.Index(text[from:], w.text)
		if at < 0 {
			return all
		}
		at += from
		from = at + len(w.text)
		for i := at; i < from; i++ {
			p := places[i]
			if n := len(all) - 1; n >= 0 && all[n].match == match && all[n].line == p.line {
				all[n].to = p.to
			} else {
				all = append(all, stretch{p.line, p.from, p.to, match})
			}
		}
	}
}

// spread is drawn lines as flat text, and where each of its bytes stands.
func spread(lines []draw.Styled, exact bool) (string, []stretch) {
	var text strings.Builder
	var places []stretch
	for i, line := range lines {
		gap := text.Len() > 0
		for from, r := range ansi.Strip(string(line)) {
			to := from + utf8.RuneLen(r)
			if unicode.IsSpace(r) {
				gap = text.Len() > 0
				continue
			}
			if gap {
				text.WriteByte(' ')
				places = append(places, stretch{line: i, from: from, to: from})
				gap = false
			}
			text.WriteRune(r)
			for range to - from {
				places = append(places, stretch{line: i, from: from, to: to})
			}
		}
	}
	if exact {
		return text.String(), places
	}
	return lower(text.String()), places
}
