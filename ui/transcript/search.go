package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pawl/internal/words"
	"pawl/ui/draw"
)

// Query is what a search looks for. Without a capital letter it ignores case; white space
// matches any white space, so that wrapped text is found too.
type Query struct {
	Text  string // single spaces only
	exact bool
}

// NewQuery parses the typed text.
func NewQuery(typed string) Query {
	exact := strings.ContainsFunc(typed, unicode.IsUpper)
	return Query{Text: flatten(typed, exact), exact: exact}
}

// Sought is the text of a block prepared for searching.
type Sought struct{ Exact, low string }

// NewSought prepares a text for many searches.
func NewSought(text string) Sought {
	exact := flatten(text, true)
	return Sought{exact, lowercase(exact)}
}

// In counts the matches in a text.
func (w Query) In(s Sought) int {
	if w.Text == "" {
		return 0
	}
	if w.exact {
		return strings.Count(s.Exact, w.Text)
	}
	return strings.Count(s.low, w.Text)
}

// flatten replaces each run of white space by a single space and, unless exact, converts to
// lower case. A rune whose lower case has another length keeps its case, so that offsets stay
// valid.
func flatten(text string, exact bool) string {
	text = words.Line(text)
	if exact {
		return text
	}
	return lowercase(text)
}

func lowercase(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, text)
}

// Stretch is a part of one drawn line: bytes of its visible text. A wrapped match has several
// with the same number.
type Stretch struct{ Line, From, To, Match int }

// Stretches finds the matches in drawn lines, even where they are wrapped.
func (w Query) Stretches(lines []draw.Styled) []Stretch {
	if w.Text == "" {
		return nil
	}
	text, places := spread(lines, w.exact)
	var all []Stretch
	match := 0
	for from := 0; ; match++ {
		at := strings.Index(text[from:], w.Text)
		if at < 0 {
			return all
		}
		at += from
		from = at + len(w.Text)
		for i := at; i < from; i++ {
			p := places[i]
			if n := len(all) - 1; n >= 0 && all[n].Match == match && all[n].Line == p.Line {
				all[n].To = p.To
			} else {
				all = append(all, Stretch{p.Line, p.From, p.To, match})
			}
		}
	}
}

// spread returns drawn lines as flat text, and where each byte of it is.
func spread(lines []draw.Styled, exact bool) (string, []Stretch) {
	var text strings.Builder
	var places []Stretch
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
				places = append(places, Stretch{Line: i, From: from, To: from})
				gap = false
			}
			text.WriteRune(r)
			for range to - from {
				places = append(places, Stretch{Line: i, From: from, To: to})
			}
		}
	}
	if exact {
		return text.String(), places
	}
	return lowercase(text.String()), places
}
