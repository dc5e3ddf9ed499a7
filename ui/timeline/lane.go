package timeline

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
)

// lane are the cells of one lane on an axis. What weighs more stands in front of
// what weighs less: moments before stretches, a stop before a warning. Of a model's
// request and a tool the one that took more of a cell's time has it, so that the lane is
// to scale also where a cell holds many of both.
type lane struct {
	c     draw.Canvas
	axis  axis
	cells []cell
	// How much of each cell the model and tools took, from 0 to 1 and more: tools work
	// side by side.
	model, tool []float64
}

type cell struct {
	sign sanitize.Text
	look draw.Paint
	rank int
}

// newLane is an empty lane on an axis.
func newLane(c draw.Canvas, a axis) *lane {
	l := &lane{c: c, axis: a, cells: make([]cell, a.columns), model: make([]float64, a.columns), tool: make([]float64, a.columns)}
	l.Clear()
	return l
}

// Clear makes the cells those of another lane: empty but where the axis leaves time out.
func (l *lane) Clear() {
	clear(l.cells)
	for _, x := range l.axis.cuts() {
		l.cells[x] = cell{sign: l.c.Glyphs.Lane.Cut, look: l.c.Theme.Faint}
	}
	clear(l.model)
	clear(l.tool)
}

// rankOf is how much a mark weighs: more than one that it stands in front of.
func rankOf(m *lanes.Mark) int {
	switch m.Kind {
	case lifecycle.SpanQueued, lifecycle.SpanStep:
		return 1
	case lifecycle.SpanModel:
		return 2
	case lifecycle.SpanTool:
		if m.Faulty {
			return 5
		}
		return 3
	case lifecycle.SpanWaiting:
		if awaits(m) {
			return 1 // whatever else is done meanwhile stands in front
		}
		return 4
	case lifecycle.SpanQuestion:
		return 6
	case lifecycle.SpanCompact:
		return 7
	case lifecycle.SpanPlaced, lifecycle.SpanDetached:
		return 8
	case lifecycle.SpanMessage:
		return 9
	case lifecycle.SpanTold:
		return 10
	case lifecycle.SpanNudged:
		return 11
	case lifecycle.SpanWarned:
		return 12
	case lifecycle.SpanOverdue:
		return 13
	case lifecycle.SpanDenied:
		return 14
	case lifecycle.SpanStop:
		return 15
	case lifecycle.SpanEnd:
		return 16
	case lifecycle.SpanRewound:
		return 17
	case lifecycle.SpanLanded:
		return 18
	}
	return 0
}

// Run draws when a run waited for its slot and when it had it.
func (l *lane) Run(run *lifecycle.Run) {
	c := &l.c
	end := run.SpawnedAt.Add(run.Elapsed(c.Now))
	begun := run.StartedAt
	if begun.IsZero() || begun.After(end) {
		begun = end
	}
	l.fill(run.SpawnedAt, begun, cell{c.Glyphs.Lane.Queued, c.Theme.Faint, 1})
	if !run.StartedAt.IsZero() {
		l.fill(begun, end, cell{c.Glyphs.Lane.Works, c.Theme.Dim, 1})
	}
	if run.State.Terminal() {
		l.mark(&lanes.Mark{Kind: lifecycle.SpanEnd, From: end, To: end, State: run.State})
	}
}

// All draws marks that are in order.
func (l *lane) All(marks []lanes.Mark) {
	for i := range marks {
		l.mark(&marks[i])
	}
}

// mark draws a mark, or counts it where the cells' time decides.
func (l *lane) mark(m *lanes.Mark) {
	switch {
	case !l.axis.Holds(m.From, m.To) || m.Kind == lifecycle.SpanQueued: // the latter is the run's
	case m.Kind == lifecycle.SpanModel:
		l.measure(l.model, m)
	case m.Kind == lifecycle.SpanTool && !m.Faulty:
		l.measure(l.tool, m)
	default:
		sign, look := signOf(&l.c, m)
		l.fill(m.From, m.To, cell{sign, look, rankOf(m)})
	}
}

// fill puts a cell wherever some time is, if it weighs as much as what is there.
func (l *lane) fill(from, to time.Time, cell cell) {
	if !l.axis.Holds(from, to) {
		return
	}
	last := l.axis.Column(to)
	for x := l.axis.Column(from); x <= last; x++ {
		if cell.rank >= l.cells[x].rank {
			l.cells[x] = cell
		}
	}
}

// measure adds what a mark took to the cells in which it is. The shortest counts a
// little, so that it is seen where nothing else is.
func (l *lane) measure(cells []float64, m *lanes.Mark) {
	const least = 1e-6
	dense := 1.0
	if m.More > 0 {
		dense = float64(m.Took) / float64(max(1, m.To.Sub(m.From)))
	}
	first, into := l.axis.place(m.From)
	last, end := l.axis.place(m.To)
	for x := first; x <= last; x++ {
		part := 1.0
		if x == last {
			part = end
		}
		if x == first {
			part -= into
		}
		if part > 0 || x == first {
			cells[x] += max(least, part*dense)
		}
	}
}

// Settle gives the measured cells to the model or to tools, whichever took more.
func (l *lane) Settle() {
	model, tool := &lanes.Mark{Kind: lifecycle.SpanModel}, &lanes.Mark{Kind: lifecycle.SpanTool}
	for x, took := range l.model {
		most := tool
		if took > l.tool[x] {
			most = model
		}
		if took+l.tool[x] == 0 || rankOf(most) < l.cells[x].rank {
			continue
		}
		sign, look := signOf(&l.c, most)
		if most == model && l.tool[x] > 0 {
			sign = l.c.Glyphs.Lane.Mixed
		}
		l.cells[x] = cell{sign, look, rankOf(most)}
	}
}

// Choose shows the cursor on a mark.
func (l *lane) Choose(m *lanes.Mark) {
	if !l.axis.Holds(m.From, m.To) {
		return
	}
	l.cells[l.axis.Column(m.From)].sign, _ = signOf(&l.c, m) // whatever stood in front of it
	for x := l.axis.Column(m.From); x <= l.axis.Column(m.To); x++ {
		l.cells[x].look = l.c.Theme.Cursor
	}
}

// Line draws the cells, those of one look at once.
func (l *lane) Line() draw.Styled {
	var line, open strings.Builder
	for x, cell := range l.cells {
		sign := cell.sign
		if sign == "" {
			sign = " "
		}
		open.WriteString(string(sign))
		if x+1 == len(l.cells) || l.cells[x+1].look != cell.look {
			line.WriteString(string(cell.look.Draw(sanitize.Text(open.String()))))
			open.Reset()
		}
	}
	return draw.Styled(line.String())
}
