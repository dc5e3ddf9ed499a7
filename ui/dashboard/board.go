package dashboard

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/timeline"
)

// Board is the dashboard as somebody looks at it: what is selected, in which order, and which
// rows are kept.
type Board struct {
	Lanes  timeline.View // its Session is the selected one
	Filter string
	// Typing says that the filter takes what is typed.
	Typing bool

	Order Order
	first int // the first row of the table in sight
	rows  cached
	hits  hits
}

// cached are the rows as they were sorted last, for as long as that holds.
type cached struct {
	seq    lifecycle.Seq // of the runs
	read   lifecycle.Seq // of the log
	stamp  int
	second int64 // of the clock, where the order depends on it
	order  Order
	filter string
	ready  bool

	all    [ended + 1]int // how many of each need there are, kept or not
	usage  lifecycle.Usage
	kept   []row
	lanes  []lifecycle.SessionID // the kept ones
	widths widths
}

// refresh sorts the rows anew where anything has come that may change them. It never leaves
// the selection on a row that is not there, if there is one.
func (b *Board) refresh(s Source) *cached {
	r := &b.rows
	second := int64(0)
	if b.Order == byElapsed {
		second = s.Now.Unix()
	}
	if r.ready && r.seq == s.Newest && r.read == s.Log.Seq && r.stamp == s.Stamp && r.second == second && r.order == b.Order && r.filter == b.Filter {
		return r
	}
	all := rows(s, r.kept)
	*r = cached{seq: s.Newest, read: s.Log.Seq, stamp: s.Stamp, second: second, order: b.Order, filter: b.Filter, ready: true, lanes: r.lanes[:0]}
	for i := range all {
		r.all[all[i].need]++
		r.usage = r.usage.Add(all[i].usage)
	}
	r.kept = keep(all, b.Filter)
	b.Order.sort(r.kept, s.Now)
	for i := range r.kept {
		r.lanes = append(r.lanes, r.kept[i].session)
	}
	r.widths = widthsOf(s, r.kept)
	if len(r.lanes) > 0 && !slices.Contains(r.lanes, b.Lanes.Session) {
		b.Lanes.Select(r.lanes[0])
	}
	return r
}

// Selected is the session of the selected row; empty where no row is kept.
func (b *Board) Selected(s Source) lifecycle.SessionID {
	if len(b.refresh(s).kept) == 0 {
		return ""
	}
	return b.Lanes.Session
}

// Over is what the lanes read: the same rows in the same order.
func (b *Board) Over(s Source) timeline.Session {
	s.Order = b.refresh(s).lanes
	return s.Session
}

// Move selects another row, no further than the ends.
func (b *Board) Move(s Source, by int) {
	lanes := b.refresh(s).lanes
	if len(lanes) == 0 {
		return
	}
	at := slices.Index(lanes, b.Lanes.Session) + by
	b.Lanes.Select(lanes[min(max(0, at), len(lanes)-1)])
}

// Page is how many rows the table has in sight, one at least.
func (b *Board) Page() int { return max(1, b.hits.rows) }

// Reorder sorts by what comes next, or came before.
func (b *Board) Reorder(by int) {
	b.Order = (b.Order + Order(by) + orders) % orders
	b.first = 0
}

// Clear ends the filter, and reports whether there was one.
func (b *Board) Clear() bool {
	was := b.Typing || b.Filter != ""
	b.Typing, b.Filter = false, ""
	return was
}

// Show selects a session; a filter that keeps others is cleared.
func (b *Board) Show(s Source, session lifecycle.SessionID) {
	if !slices.Contains(b.refresh(s).lanes, session) {
		b.Clear()
	}
	b.Lanes.Select(session)
}
