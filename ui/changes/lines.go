package changes

import (
	"strings"

	"pawl/internal/words"
	"pawl/ui/draw"
)

// Layout is how a diff is shown.
type Layout int

// The layouts. Auto is side by side where there is room for it.
const (
	Auto Layout = iota
	Unified
	SideBySide
	layouts
)

// besideFrom is from how many columns two sides have room.
const besideFrom = 100

func (l Layout) beside(width int) bool {
	return l == SideBySide || l == Auto && width >= besideFrom
}

// Next is the other layout than the one that is shown in a width.
func (l Layout) Next(width int) Layout {
	if l.beside(width) {
		return Unified
	}
	return SideBySide
}

// lines are a diff as it is moved in. Its rows are made of the diff and of the comments on it, and
// made anew when these change.
type lines struct {
	diff   draw.Diff
	beside bool
	heads  bool // each hunk has a row where it begins
	stale  bool
	fresh  bool // nobody has seen it: the cursor goes to what changed first
	rows   []lineRow
	at     int // the row with the cursor
	top    int // the first row in sight
}

// lineRow is one row: a line, or two beside each other, or a comment whose line is not there any more.
type lineRow struct {
	pair   draw.Pair
	adrift *Comment
}

// arrange makes the rows. The cursor stays on its line.
func (l *lines) arrange(f *File, beside, heads bool, comments []Comment) {
	was, at := draw.Pair{Old: -1, New: -1}, l.at
	if at < len(l.rows) {
		was = l.rows[at].pair
	}
	l.beside, l.heads, l.stale = beside, heads, false
	l.rows = l.adrift(f, comments)
	for _, p := range l.pairs() {
		if !heads && l.diff.Lines[l.line(p)].Silent() {
			continue
		}
		if l.line(p) == l.line(was) {
			at = len(l.rows)
		}
		l.rows = append(l.rows, lineRow{pair: p})
	}
	l.at = max(0, min(at, len(l.rows)-1))
	if l.fresh {
		l.fresh, l.at = false, -1
		if !l.nextHunk(1) {
			l.at = 0
		}
	}
}

func (l *lines) pairs() []draw.Pair {
	if l.beside {
		return l.diff.Pairs()
	}
	pairs := make([]draw.Pair, len(l.diff.Lines))
	for i := range pairs {
		pairs[i] = draw.Pair{Old: i, New: i}
	}
	return pairs
}

// line is the one of a pair that the cursor is on: the new one, if there is one.
func (l *lines) line(p draw.Pair) int {
	if p.New >= 0 {
		return p.New
	}
	return p.Old
}

// adrift are the comments whose lines the diff has no more.
func (l *lines) adrift(f *File, comments []Comment) []lineRow {
	if len(comments) == 0 {
		return nil
	}
	there := map[string]bool{}
	for i := range l.diff.Lines {
		if p, is := l.placeOf(f, draw.Pair{Old: i, New: i}); is {
			there[p.Key()] = true
		}
	}
	var rows []lineRow
	for i, c := range comments {
		if !there[c.Key()] {
			rows = append(rows, lineRow{pair: draw.Pair{Old: -1, New: -1}, adrift: &comments[i]})
		}
	}
	return rows
}

// placeOf is the line of a file that a row is, if it is one.
func (l *lines) placeOf(f *File, p draw.Pair) (Place, bool) {
	at := l.line(p)
	if at < 0 {
		return Place{}, false
	}
	line := l.diff.Lines[at]
	if line.Sign != '+' && line.Sign != '-' && line.Sign != ' ' || line.Number() <= 0 {
		return Place{}, false
	}
	quote := strings.TrimSpace(words.Valid(words.Cut(line.Text, longestQuote)))
	return Place{Folder: f.Folder, Path: f.Path, Old: line.Sign == '-', Line: line.Number(), Quote: quote}, true
}

// toLine gives the cursor to a line that can be written on: the nearest below, or above.
func (l *lines) toLine(f *File) bool {
	for _, by := range []int{1, -1} {
		for at := l.at; at >= 0 && at < len(l.rows); at += by {
			if _, is := l.placeOf(f, l.rows[at].pair); is || l.rows[at].adrift != nil {
				l.at = at
				return true
			}
		}
	}
	return false
}

func (l *lines) step(by int) { l.at = max(0, min(l.at+by, len(l.rows)-1)) }

// hunk is the one that the cursor is in.
func (l *lines) hunk() int {
	if l.at >= len(l.rows) || l.rows[l.at].adrift != nil {
		return 0
	}
	return l.diff.Lines[l.line(l.rows[l.at].pair)].Hunk
}

// nextHunk goes to the first changed line of the next run of them, or of the one before.
func (l *lines) nextHunk(by int) bool {
	for at := l.at + by; at >= 0 && at < len(l.rows); at += by {
		if l.changes(at) && !l.changes(at-1) {
			l.at = at
			return true
		}
	}
	return false
}

// changes reports whether a row is of a line that was added or removed.
func (l *lines) changes(at int) bool {
	if at < 0 || l.rows[at].adrift != nil {
		return false
	}
	sign := l.diff.Lines[l.line(l.rows[at].pair)].Sign
	return sign == '+' || sign == '-'
}
