package ui

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// laneCells are the cells of one lane on an axis. What weighs more stands in front of
// what weighs less: moments before stretches, a stop before a warning. Of a model's
// request and a tool the one that took more of a cell's time has it, so that the lane is
// to scale also where a cell holds many of both.
type laneCells struct {
	c     draw.Canvas
	axis  axis
	cells []laneCell
	// How much of each cell the model and tools took, from 0 to 1 and more: tools work
	// side by side.
	model, tool []float64
}

type laneCell struct {
	sign sanitize.Text
	look draw.Paint
	rank int
}

func newLaneCells(c draw.Canvas, a axis) *laneCells {
	return &laneCells{c: c, axis: a, cells: make([]laneCell, a.columns), model: make([]float64, a.columns), tool: make([]float64, a.columns)}
}

// clear makes the cells those of another lane.
func (l *laneCells) clear() {
	clear(l.cells)
	clear(l.model)
	clear(l.tool)
}

// rankOf is how much a mark weighs: more than one that it stands in front of.
func rankOf(m *laneMark) int {
	switch m.kind {
	case lifecycle.SpanQueued, lifecycle.SpanStep:
		return 1
	case lifecycle.SpanModel:
		return 2
	case lifecycle.SpanTool:
		if m.faulty {
			return 5
		}
		return 3
	case lifecycle.SpanWaiting:
		return 4
	case lifecycle.SpanQuestion:
		return 6
	case lifecycle.SpanCompact:
		return 7
	case lifecycle.SpanDetached:
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
	}
	return 0
}

// run draws when a run waited for its slot and when it had it.
func (l *laneCells) run(run *lifecycle.Run) {
	c := &l.c
	end := run.SpawnedAt.Add(run.Elapsed(c.Now))
	begun := run.StartedAt
	if begun.IsZero() || begun.After(end) {
		begun = end
	}
	l.fill(run.SpawnedAt, begun, laneCell{c.Glyphs.Lane.Queued, c.Theme.Faint, 1})
	if !run.StartedAt.IsZero() {
		l.fill(begun, end, laneCell{c.Glyphs.Lane.Works, c.Theme.State(run.State), 1})
	}
	if run.State.Terminal() {
		l.mark(&laneMark{kind: lifecycle.SpanEnd, from: end, to: end, state: run.State})
	}
}

func (l *laneCells) all(marks []laneMark) {
	for i := range marks {
		l.mark(&marks[i])
	}
}

// mark draws a mark, or counts it where the cells' time decides.
func (l *laneCells) mark(m *laneMark) {
	switch {
	case !l.axis.holds(m.from, m.to) || m.kind == lifecycle.SpanQueued: // the latter is the run's
	case m.kind == lifecycle.SpanModel:
		l.measure(l.model, m)
	case m.kind == lifecycle.SpanTool && !m.faulty:
		l.measure(l.tool, m)
	default:
		sign, look := signOf(&l.c, m)
		l.fill(m.from, m.to, laneCell{sign, look, rankOf(m)})
	}
}

// fill puts a cell wherever some time is, if it weighs as much as what is there.
func (l *laneCells) fill(from, to time.Time, cell laneCell) {
	if !l.axis.holds(from, to) {
		return
	}
	last := l.axis.column(to)
	for x := l.axis.column(from); x <= last; x++ {
		if cell.rank >= l.cells[x].rank {
			l.cells[x] = cell
		}
	}
}

// measure adds what a mark took to the cells in which it is. The shortest counts a
// little, so that it is seen where nothing else is.
func (l *laneCells) measure(cells []float64, m *laneMark) {
	const least = 1e-6
	dense := 1.0
	if m.more > 0 {
		dense = float64(m.took) / float64(max(1, m.to.Sub(m.from)))
	}
	first, into := l.axis.place(m.from)
	last, end := l.axis.place(m.to)
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

// settle gives the measured cells to the model or to tools, whichever took more.
func (l *laneCells) settle() {
	model, tool := &laneMark{kind: lifecycle.SpanModel}, &laneMark{kind: lifecycle.SpanTool}
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
		l.cells[x] = laneCell{sign, look, rankOf(most)}
	}
}

// choose shows the cursor on a mark.
func (l *laneCells) choose(m *laneMark) {
	if !l.axis.holds(m.from, m.to) {
		return
	}
	l.cells[l.axis.column(m.from)].sign, _ = signOf(&l.c, m) // whatever stood in front of it
	for x := l.axis.column(m.from); x <= l.axis.column(m.to); x++ {
		l.cells[x].look = l.c.Theme.Cursor
	}
}

// line draws the cells, those of one look at once.
func (l *laneCells) line() draw.Styled {
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
