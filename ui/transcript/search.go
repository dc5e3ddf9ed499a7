package transcript

import (
	"slices"
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

// stretch is a part of one drawn line: bytes of its visible text.
type stretch struct{ line, from, to, match int }

// Matches are the places of a query in drawn lines, in order. A wrapped match has several
// stretches with the same number.
type Matches []stretch

// Count is the number of matches.
func (m Matches) Count() int {
	if len(m) == 0 {
		return 0
	}
	return m[len(m)-1].match + 1
}

// LineOf is the line on which the nth match begins, or the last one if fewer are drawn; the
// first line if there are none.
func (m Matches) LineOf(nth int) int {
	nth = min(nth, m.Count()-1)
	if i := slices.IndexFunc(m, func(s stretch) bool { return s.match == nth }); i >= 0 {
		return m[i].line
	}
	return 0
}

// Mark returns the lines with the matches underlined and the nth, or the last if fewer are
// drawn, in reverse; -1 for none. It does not change lines.
func (m Matches) Mark(lines []draw.Styled, nth int) []draw.Styled {
	if len(m) == 0 {
		return lines
	}
	nth = min(nth, m.Count()-1)
	marked := slices.Clone(lines)
	for _, s := range slices.Backward(m) {
		on, off := draw.Sequence("\x1b[4m"), draw.Sequence("\x1b[24m")
		if s.match == nth {
			on, off = "\x1b[7m", "\x1b[27m"
		}
		marked[s.line] = draw.Underlay(marked[s.line], s.from, s.to, on, off)
	}
	return marked
}

// Find finds the matches in drawn lines, even where they are wrapped.
func (w Query) Find(lines []draw.Styled) Matches {
	if w.Text == "" {
		return nil
	}
	text, places := spread(lines, w.exact)
	var all Matches
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
			if n := len(all) - 1; n >= 0 && all[n].match == match && all[n].line == p.line {
				all[n].to = p.to
			} else {
				all = append(all, stretch{p.line, p.from, p.to, match})
			}
		}
	}
}

// spread returns drawn lines as flat text, and where each byte of it is.
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
	return lowercase(text.String()), places
}
