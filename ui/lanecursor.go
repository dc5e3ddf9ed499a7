package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/timeline"
)

// cursor is the mark on which the timeline's cursor stands; false at the right edge, and
// on a lane without marks.
func (m *model) cursor() (timeline.Mark, bool) {
	marks, i := m.marksAround()
	if i < 0 {
		return timeline.Mark{}, false
	}
	return marks[i], true
}

// marksAround are the marks of the lane with the cursor, and which of them it is on: -1
// for none. One that was joined to others since has the cursor on those.
func (m *model) marksAround() (marks []timeline.Mark, at int) {
	t := m.timeline
	marks = m.chronicle.Marks(t.session, m.clock.Read())
	if t.at.IsZero() {
		return marks, -1
	}
	if i := slices.IndexFunc(marks, func(mark timeline.Mark) bool { return mark.Seq == t.mark }); i >= 0 {
		return marks, i
	}
	return marks, nearest(marks, t.at)
}

// nearest is the mark that begins nearest to a time, -1 for none.
func nearest(marks []timeline.Mark, at time.Time) int {
	i, _ := slices.BinarySearchFunc(marks, at, func(m timeline.Mark, at time.Time) int { return m.From.Compare(at) })
	switch {
	case i == len(marks):
		return i - 1
	case i > 0 && at.Sub(marks[i-1].From) < marks[i].From.Sub(at):
		return i - 1
	}
	return i
}

// nextMark takes the cursor to another mark of its lane. Before the right edge is the
// newest, and behind that the right edge.
func (m *model) nextMark(by int) tea.Cmd {
	marks, at := m.marksAround()
	if at < 0 {
		at = len(marks)
	}
	return m.setCursor(marks, at+by)
}

func (m *model) firstMark() tea.Cmd {
	marks, _ := m.marksAround()
	return m.setCursor(marks, 0)
}

func (m *model) toEdge() tea.Cmd { return m.setCursor(nil, 0) }

// setCursor sets the cursor on one of some marks, past the last on the right edge, and
// brings it into the part that is shown.
func (m *model) setCursor(marks []timeline.Mark, at int) tea.Cmd {
	t := m.timeline
	m.changed()
	at = max(0, at)
	if at >= len(marks) {
		t.at, t.mark = time.Time{}, 0
		return nil
	}
	mark := marks[at]
	t.at, t.mark = mark.From, mark.Seq
	axis := m.wholeAxis(1)
	t.zoom = t.zoom.Around(axis.Offset(mark.From), axis.Busy)
	return nil
}

// laneHits is where the lanes stand in the last picture, counted from its stage.
type laneHits struct {
	row      int // of the first one
	sessions []lifecycle.SessionID
	left     int // the first column of the axis
	axis     timeline.Axis
}

// clickLane takes the cursor to the lane that was clicked, and to the mark there; where
// there is none it is at the right edge.
func (m *model) clickLane(msg tea.MouseClickMsg) tea.Cmd {
	h := m.picture.hits
	row := msg.Y - h.top - h.lanes.row
	if row < 0 || row >= len(h.lanes.sessions) {
		return nil
	}
	t := m.timeline
	t.session, t.at, t.mark = h.lanes.sessions[row], time.Time{}, 0
	m.changed()
	marks, _ := m.marksAround()
	at, x := -1, msg.X-h.lanes.left
	for i := range marks {
		mark := &marks[i]
		covers := h.lanes.axis.Holds(mark.From, mark.To) && h.lanes.axis.Column(mark.From) <= x && x <= h.lanes.axis.Column(mark.To)
		if covers && (at < 0 || timeline.RankOf(mark) >= timeline.RankOf(&marks[at])) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return m.setCursor(marks, at)
}
