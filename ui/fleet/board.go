package fleet

import (
	"cmp"
	"slices"
	"strings"

	"pawl/lifecycle"
)

// board is the sessions as somebody looks at them: sorted into sections, those that the filter
// keeps, and one of them selected.
type board struct {
	sessions []Session // of the newest picture
	filter   string
	airy     bool // a blank line stands above each section but the first
	selected lifecycle.SessionID
	chosen   bool // by the user, or as they asked: it is kept whatever comes
	partial  bool // the picture was

	kept   []int // indices of sessions, in their order on the screen
	lines  []line
	counts [needs]int // of all, kept or not
	cost   float64    // of all
	widths widths     // of the kept ones

	top  int  // the first line in sight
	free bool // the wheel has moved it: it does not follow the selection
	rows int  // how many lines the last picture had
}

// line is a line of the list: of a session, the heading of a section, or blank.
type line struct {
	kept int // index in kept; < 0: none
	head Need
	kind lineKind
}

type lineKind int

const (
	ofSession lineKind = iota
	heading
	blank
)

// take takes a picture in. The selection stays on its session; where that is gone it goes to the
// session that has its place now. Behind a partial picture it begins at the top, unless somebody has
// chosen meanwhile.
func (b *board) take(sessions []Session, partial bool) {
	at := b.at()
	if b.partial && !b.chosen {
		at, b.selected = 0, ""
	}
	b.sessions, b.partial = sessions, partial
	b.counts, b.cost = [needs]int{}, 0
	for i := range sessions {
		b.counts[b.need(i)]++
		b.cost += sessions[i].CostUSD
	}
	b.arrange(at)
}

// need is that of a session; one that is none of ours counts as recent.
func (b *board) need(i int) Need {
	if n := b.sessions[i].Need; n >= 0 && n < needs {
		return n
	}
	return Recent
}

// seek sets the filter.
func (b *board) seek(filter string) {
	at := b.at()
	b.filter = filter
	b.arrange(at)
}

// space says whether sections have a blank line between them.
func (b *board) space(airy bool) {
	if b.airy != airy {
		b.airy = airy
		b.arrange(b.at())
	}
}

// arrange sorts and filters the sessions, and selects one: the same as before, else the one that
// has the place at now.
func (b *board) arrange(at int) {
	b.kept = b.kept[:0]
	words := strings.Fields(strings.ToLower(b.filter))
	for i := range b.sessions {
		if b.sessions[i].matches(words) {
			b.kept = append(b.kept, i)
		}
	}
	slices.SortFunc(b.kept, b.compare)
	b.lines = b.lines[:0]
	before := needs
	b.widths = widths{}
	for k, i := range b.kept {
		if need := b.need(i); need != before {
			if k > 0 && b.airy {
				b.lines = append(b.lines, line{kept: -1, kind: blank})
			}
			b.lines = append(b.lines, line{kept: -1, head: need, kind: heading})
			before = need
		}
		b.lines = append(b.lines, line{kept: k})
		b.widths.of(&b.sessions[i])
	}
	if b.at() < 0 && len(b.kept) > 0 {
		b.selected = b.sessions[b.kept[min(max(0, at), len(b.kept)-1)]].ID
		b.free = false
	}
}

// compare is the order on the screen: by section, then who has asked or worked longest, or ended
// last. What works stays in its place while it works.
func (b *board) compare(i, j int) int {
	one, other := &b.sessions[i], &b.sessions[j]
	since := one.Since.Compare(other.Since)
	if b.need(i) >= Unread {
		since = -since
	}
	return cmp.Or(cmp.Compare(b.need(i), b.need(j)), since, cmp.Compare(one.ID, other.ID))
}

// matches reports whether each of these words, in small letters, stands in what a filter goes
// through.
func (s *Session) matches(words []string) bool {
	if len(words) == 0 {
		return true
	}
	sought := strings.ToLower(s.Title + "\n" + s.Folder + "\n" + string(s.ID))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(sought, word) })
}

// at is the place of the selected session among the kept ones; -1 where it is none of them.
func (b *board) at() int {
	return slices.IndexFunc(b.kept, func(i int) bool { return b.sessions[i].ID == b.selected })
}

// current is the selected session; false where no line is kept.
func (b *board) current() (Session, bool) {
	at := b.at()
	if at < 0 {
		return Session{}, false
	}
	return b.sessions[b.kept[at]], true
}

// get is a session by its id.
func (b *board) get(id lifecycle.SessionID) (Session, bool) {
	i := slices.IndexFunc(b.sessions, func(s Session) bool { return s.ID == id })
	if i < 0 {
		return Session{}, false
	}
	return b.sessions[i], true
}

// move selects another session, no further than the ends.
func (b *board) move(by int) { b.choose(b.at() + by) }

// choose selects the session at a place among the kept ones, or the one nearest to it.
func (b *board) choose(at int) {
	if len(b.kept) == 0 {
		return
	}
	b.selected = b.sessions[b.kept[min(max(0, at), len(b.kept)-1)]].ID
	b.chosen, b.free = true, false
}

// next selects the next session that needs its user, and reports whether there is one.
func (b *board) next() bool {
	at := b.at()
	for step := 1; step <= len(b.kept); step++ {
		k := (at + step) % len(b.kept)
		if b.need(b.kept[k]) == NeedsYou {
			b.choose(k)
			return true
		}
	}
	return false
}

// page is how many sessions a page has, one at least.
func (b *board) page() int { return max(1, b.rows-2) }

// scroll moves the lines and leaves the selection where it is.
func (b *board) scroll(by int) {
	b.top, b.free = b.top+by, true
}

// window is the range of lines in sight in so many rows: the selected one among them, with the
// heading right above it, unless the wheel has moved on.
func (b *board) window(rows int) (first, last int) {
	b.rows = rows
	selected := b.at()
	if at := slices.IndexFunc(b.lines, func(l line) bool { return l.kind == ofSession && l.kept == selected }); at >= 0 && !b.free {
		above := at
		if at > 0 && b.lines[at-1].kind == heading && rows > 1 {
			above--
		}
		b.top = min(max(b.top, at-rows+1), above)
	}
	b.top = max(0, min(b.top, len(b.lines)-rows))
	return b.top, min(len(b.lines), b.top+rows)
}

// below is how many sessions stand below the lines in sight.
func (b *board) below() int {
	n := 0
	for _, l := range b.lines[min(len(b.lines), b.top+b.rows):] {
		if l.kind == ofSession {
			n++
		}
	}
	return n
}

// clicked is the place among the kept ones of the session on a row of the last picture; -1 for none.
func (b *board) clicked(row int) int {
	if at := b.top + row; row >= 0 && row < b.rows && at < len(b.lines) && b.lines[at].kind == ofSession {
		return b.lines[at].kept
	}
	return -1
}
