package changes

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// View is what was changed, as somebody looks at it. Its screen's goroutine alone uses it.
type View struct {
	// Only is the subagent whose changes alone are shown; empty: all of the session.
	Only     lifecycle.SessionID
	By       Grouping
	Layout   Layout
	Marks    Marks
	Comments *Comments
	// InDiff says that the keys move the cursor in the diff, and not in the list.
	InDiff bool
	// Trouble says in one line why there is no listing; empty: there is, or it is still read.
	Trouble string

	listing Listing
	read    bool
	rows    []row
	at      int // of rows: the chosen file
	first   int // of rows: the first in sight
	inSight int // how many rows the list had when it was drawn last
	shown   map[Which]*shown
	latest  []Which // whose lines are kept, the newest last
	hits    hits
}

// keptDiffs is how many diffs are kept whole: a diff is at most some 100 KB.
const keptDiffs = 24

// row is one line of the list: a heading, or a file.
type row struct {
	heading string
	files   int // below the heading
	file    *File
}

// shown is the diff of a file, once it was found.
type shown struct {
	Diff
	lines *lines // nil once it was given up for others
}

// New returns a view over nothing yet. What was written before stays on its lines.
func New(only lifecycle.SessionID, by Grouping, layout Layout, comments *Comments) *View {
	return &View{Only: only, By: by, Layout: layout, Comments: comments, at: -1, shown: map[Which]*shown{}}
}

// Fill takes a listing in. The file that was chosen stays chosen as long as it is there.
func (v *View) Fill(l Listing) {
	v.listing, v.read, v.Trouble = l, true, ""
	if len(l.Groups[v.By]) == 0 {
		v.By = max(0, v.nextGrouping(1))
	}
	v.arrange()
}

// Landable reports whether files and hunks can be chosen.
func (v *View) Landable() bool { return v.listing.Landable }

// Read reports whether a listing was taken in.
func (v *View) Read() bool { return v.read }

// nextGrouping is the next one that has groups, -1 where no other has.
func (v *View) nextGrouping(by int) Grouping {
	for n := 1; n < int(groupings); n++ {
		next := (int(v.By) + n*by + n*int(groupings)) % int(groupings)
		if len(v.listing.Groups[next]) > 0 {
			return Grouping(next)
		}
	}
	return -1
}

// Regroup shows the next grouping.
func (v *View) Regroup(by int) {
	if next := v.nextGrouping(by); next >= 0 {
		v.By = next
		v.arrange()
	}
}

// arrange makes the rows of the grouping.
func (v *View) arrange() {
	was := v.File()
	v.rows, v.at = v.rows[:0:0], -1
	for _, g := range v.listing.Groups[v.By] {
		v.rows = append(v.rows, row{heading: g.Title, files: len(g.Files)})
		for i := range g.Files {
			v.rows = append(v.rows, row{file: &g.Files[i]})
		}
	}
	if was != nil {
		v.at = v.find(func(f *File) bool { return f.Which == was.Which })
		if v.at < 0 {
			v.at = v.find(func(f *File) bool { return f.Folder == was.Folder && f.Path == was.Path })
		}
	}
	if v.at < 0 {
		v.at = v.find(func(*File) bool { return true })
	}
	if v.at < 0 {
		v.InDiff = false
	}
}

func (v *View) find(is func(*File) bool) int {
	return slices.IndexFunc(v.rows, func(r row) bool { return r.file != nil && is(r.file) })
}

// File is the chosen one; nil where there is none.
func (v *View) File() *File {
	if v.at < 0 || v.at >= len(v.rows) {
		return nil
	}
	return v.rows[v.at].file
}

// Files are all files of the grouping, in their order.
func (v *View) Files() []File {
	var all []File
	for _, r := range v.rows {
		if r.file != nil {
			all = append(all, *r.file)
		}
	}
	return all
}

// place is the how-manieth file is chosen, of how many.
func (v *View) place() (at, all int) {
	for i, r := range v.rows {
		if r.file == nil {
			continue
		}
		all++
		if i <= v.at {
			at = all
		}
	}
	return at, all
}

// Step moves to another file or, in the diff, to another line, no further than the ends.
func (v *View) Step(by int) {
	if v.InDiff {
		if l := v.lines(); l != nil {
			l.step(by)
		}
		return
	}
	at := v.at
	for left := max(by, -by); left > 0; {
		at += max(-1, min(1, by))
		if at < 0 || at >= len(v.rows) {
			return
		}
		if v.rows[at].file != nil {
			v.at, left = at, left-1
		}
	}
}

// Page moves by what is in sight.
func (v *View) Page(by int) {
	rows := v.inSight
	if v.InDiff {
		rows = v.hits.diffRows
	}
	v.Step(by * max(1, rows-1))
}

// Edge moves to the first file or line, or to the last.
func (v *View) Edge(by int) {
	if v.InDiff {
		if l := v.lines(); l != nil {
			l.step(by * len(l.rows))
		}
		return
	}
	for at := range v.rows {
		if by > 0 {
			at = len(v.rows) - 1 - at
		}
		if v.rows[at].file != nil {
			v.at = at
			return
		}
	}
}

// NextFile chooses another file, also from its diff.
func (v *View) NextFile(by int) {
	in := v.InDiff
	v.InDiff = false
	v.Step(by)
	v.InDiff = in
}

// Enter goes into the diff of the chosen file.
func (v *View) Enter() { v.InDiff = v.File() != nil }

// Leave goes back to the list, and reports whether it was elsewhere.
func (v *View) Leave() bool {
	was := v.InDiff
	v.InDiff = false
	return was
}

// NextHunk goes to where the next hunk begins, or the one before: into the next file where this one
// has no more.
func (v *View) NextHunk(by int) {
	l := v.lines()
	if l == nil || !v.InDiff {
		v.Enter()
		return
	}
	if !l.nextHunk(by) {
		v.NextFile(by)
	}
}

// Turn leaves what the cursor is on out of what is landed, or chooses it again: the hunk of the line,
// or the file.
func (v *View) Turn() {
	f, l := v.File(), v.lines()
	if f == nil || !v.listing.Landable || f.Left != "" {
		return
	}
	if v.InDiff && l != nil && l.diff.Hunks > 0 {
		v.Marks.TurnHunk(f.Path, l.hunk(), l.diff.Hunks)
		return
	}
	v.Marks.TurnFile(f.Path)
}

// Here is the line that the cursor is on, or else the nearest, which gets it, with what is written on
// it: a comment without text where nothing is. It is nothing where there is no line.
func (v *View) Here() (c Comment, is bool) {
	f, l := v.File(), v.lines()
	if f == nil || l == nil || !l.toLine(f) {
		return c, false
	}
	r := l.rows[l.at]
	if r.adrift != nil {
		return *r.adrift, true
	}
	p, _ := l.placeOf(f, r.pair)
	if c, written := v.Comments.On(p); written {
		return c, true
	}
	w, known := f.writer(&v.shown[f.Which].Diff, p.Old, p.Line)
	return Comment{Place: p, Session: w.Session, Writer: w.Name}, known
}

// Rewritten follows a change of the comments.
func (v *View) Rewritten() {
	if l := v.lines(); l != nil {
		l.stale = true
	}
}

// Wanted are the diffs that the view lacks, what is needed first in front.
func (v *View) Wanted() []Which {
	var wanted []Which
	if f := v.File(); f != nil && v.lines() == nil {
		wanted = append(wanted, f.Which)
	}
	for i := v.first; i < min(len(v.rows), v.first+v.inSight); i++ {
		f := v.rows[i].file
		if f != nil && !f.Counted && v.shown[f.Which] == nil && !slices.Contains(wanted, f.Which) {
			wanted = append(wanted, f.Which)
		}
	}
	return wanted
}

// Take takes a diff in that was wanted; of one that was not read, its figures alone.
func (v *View) Take(of Which, d Diff, read *draw.Diff) {
	v.shown[of] = &shown{Diff: d}
	if read == nil {
		return
	}
	v.shown[of].lines = &lines{diff: *read, stale: true, fresh: true}
	v.latest = append(slices.DeleteFunc(v.latest, func(w Which) bool { return w == of }), of)
	for len(v.latest) > keptDiffs {
		v.shown[v.latest[0]].lines = nil
		v.latest = v.latest[1:]
	}
}

// lines are those of the chosen file's diff, as they are shown; nil where they are not there yet.
func (v *View) lines() *lines {
	f := v.File()
	if f == nil || v.shown[f.Which] == nil || v.shown[f.Which].lines == nil {
		return nil
	}
	return v.linesOf()
}

// linesOf makes their rows anew where anything has changed that they depend on.
func (v *View) linesOf() *lines {
	f := v.File()
	l := v.shown[f.Which].lines
	beside := v.Layout.beside(v.hits.diffWidth)
	if l.stale || l.beside != beside || l.heads != v.listing.Landable {
		l.arrange(f, beside, v.listing.Landable, v.Comments.of(f.Folder, f.Path))
	}
	return l
}
