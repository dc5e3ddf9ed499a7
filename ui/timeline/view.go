package timeline

import (
	"slices"
	"time"

	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/transcript"
)

// Session is what a view reads at one moment. It changes nothing of it.
type Session struct {
	Runs    *transcript.Runs
	History *History
	Now     time.Time
	Newest  lifecycle.Seq         // the last record that there is, read or not
	Order   []lifecycle.SessionID // those that have a lane, as the lanes stand
}

// each gives every run, as spawned, and the time in which it was there: until now of
// one that lives. The next one takes the place of the last, so that a frame has no garbage
// for each run.
func (s Session) each(fn func(run *lifecycle.Run, ran lanes.Stretch)) {
	var run lifecycle.Run
	for run = range s.Runs.Runs() {
		fn(&run, lanes.Stretch{From: run.SpawnedAt, To: run.SpawnedAt.Add(run.Elapsed(s.Now))})
	}
}

// axis is all of the session's time over some columns.
func (s Session) axis(columns int) axis {
	var stretches []lanes.Stretch
	s.each(func(_ *lifecycle.Run, ran lanes.Stretch) { stretches = append(stretches, ran) })
	return newAxis(stretches, columns)
}

// View shows all sessions over one axis of time, a lane each: when each waited
// for a slot, asked its model, used a tool, asked a person, was warned, stopped, told.
//
//	runs ──► when each run was there (chart) ┐
//	history ──► what each did when ──────────┴──► cells of a lane, on the part of the
//	            axis that is shown; what the cursor stands on in words below them
//
// Without a cursor it stands at its right edge, which is now; with one it stays on a
// mark while others come.
type View struct {
	Session lifecycle.SessionID // of the lane with the cursor
	at      time.Time           // where the cursor is; zero: at the right edge
	mark    lifecycle.Seq       // the mark that it was set on, 0 for the one nearest to at
	zoom    zoom
	first   int // the first lane in sight
	hits    hits
}

// hits is which lanes the last picture had, from its first row on.
type hits struct {
	sessions []lifecycle.SessionID
	left     int // the first column of the axis
	axis     axis
}

// Select takes the cursor to another lane, and stays at its time.
func (v *View) Select(session lifecycle.SessionID) {
	if v.Session != session {
		v.Session, v.mark = session, 0
	}
}

// Cursor is the mark on which the cursor stands; false at the right edge, and on a lane
// without marks.
func (v *View) Cursor(s Session) (lanes.Mark, bool) {
	if v.at.IsZero() {
		return lanes.Mark{}, false
	}
	marks, i := v.marksAround(s)
	if i < 0 {
		return lanes.Mark{}, false
	}
	return marks[i], true
}

// marksAround are the marks of the lane with the cursor, and which of them it is on: -1
// for none. One that was joined to others since has the cursor on those.
func (v *View) marksAround(s Session) (marks []lanes.Mark, at int) {
	marks = s.History.Marks(v.Session, s.Now)
	if v.at.IsZero() {
		return marks, -1
	}
	if i := slices.IndexFunc(marks, func(mark lanes.Mark) bool { return mark.Seq == v.mark }); i >= 0 {
		return marks, i
	}
	return marks, nearest(marks, v.at)
}

// nearest is the mark that begins nearest to a time, -1 for none.
func nearest(marks []lanes.Mark, at time.Time) int {
	i, _ := slices.BinarySearchFunc(marks, at, func(m lanes.Mark, at time.Time) int { return m.From.Compare(at) })
	switch {
	case i == len(marks):
		return i - 1
	case i > 0 && at.Sub(marks[i-1].From) < marks[i].From.Sub(at):
		return i - 1
	}
	return i
}

// NextMark takes the cursor to another mark of its lane. Before the right edge is the
// newest, and behind that the right edge.
func (v *View) NextMark(s Session, by int) {
	marks, at := v.marksAround(s)
	if at < 0 {
		at = len(marks)
	}
	v.setCursor(s, marks, at+by)
}

// FirstMark takes the cursor to the oldest mark of its lane.
func (v *View) FirstMark(s Session) {
	marks, _ := v.marksAround(s)
	v.setCursor(s, marks, 0)
}

// ToEdge takes the cursor to the right edge.
func (v *View) ToEdge() { v.at, v.mark = time.Time{}, 0 }

// setCursor sets the cursor on one of some marks, past the last on the right edge, and
// brings it into the part that is shown.
func (v *View) setCursor(s Session, marks []lanes.Mark, at int) {
	at = max(0, at)
	if at >= len(marks) {
		v.ToEdge()
		return
	}
	mark := marks[at]
	v.at, v.mark = mark.From, mark.Seq
	axis := s.axis(1)
	v.zoom = v.zoom.around(axis.Offset(mark.From), axis.Busy)
}

// Click takes the cursor to the lane that was clicked, and to the mark there; where
// there is none it is at the right edge. x and y are counted from the picture's corner.
// It reports whether a lane is there.
func (v *View) Click(s Session, x, y int) bool {
	if y < 0 || y >= len(v.hits.sessions) {
		return false
	}
	v.Session = v.hits.sessions[y]
	v.ToEdge()
	marks, _ := v.marksAround(s)
	at, column, axis := -1, x-v.hits.left, v.hits.axis
	for i := range marks {
		mark := &marks[i]
		covers := axis.Holds(mark.From, mark.To) && axis.Column(mark.From) <= column && column <= axis.Column(mark.To)
		if covers && (at < 0 || rankOf(mark) >= rankOf(&marks[at])) {
			at = i
		}
	}
	if at >= 0 {
		v.setCursor(s, marks, at)
	}
	return true
}

// Zoom shows half of the part around the cursor, which at the right edge is now, or for
// a step of -1 twice as much.
func (v *View) Zoom(s Session, step int) {
	a := s.axis(1)
	fixed := a.Busy
	if !v.zoom.whole() {
		fixed = v.zoom.hi
	}
	if mark, on := v.Cursor(s); on {
		fixed = a.Offset(mark.From)
		v.zoom = v.zoom.around(fixed, a.Busy)
	}
	v.zoom = v.zoom.by(step, fixed, a.Busy)
}

// ZoomOut shows all of the axis.
func (v *View) ZoomOut() { v.zoom = zoom{} }
