package timeline

import (
	"slices"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// laneName is the room that the name of a lane gets.
const laneName = 22

// chart is one picture of the timeline: the lanes that are in sight, and their axis.
type chart struct {
	lanes []laneOf
	name  int // the columns of the names
	axis  axis
	whole time.Duration // that something ran, in sight or not
}

// laneOf is a lane in sight: a session and its runs.
type laneOf struct {
	session lifecycle.SessionID
	runs    []lifecycle.Run
}

// placed reports whether a worker on another machine has taken a run in sight.
func (g chart) placed() bool {
	return slices.ContainsFunc(g.lanes, func(l laneOf) bool {
		return slices.ContainsFunc(l.runs, func(run lifecycle.Run) bool { return run.Placed != nil })
	})
}

// Rows are how many lines of each part a picture has: lanes, then one of the axis, then what
// the cursor is on in words, and what the signs mean, below an empty line, if that has room.
type Rows struct{ Lanes, Words, Signs int }

// Height is how many lines these are, with all that the signs may take.
func (r Rows) Height() int { return r.Lanes + 1 + r.Words + r.Signs }

// chart lays out as many lanes as there are rows, that with the cursor among them.
func (v *View) chart(c draw.Canvas, s Session, rows int) chart {
	first := v.window(s, rows)
	g := chart{name: min(laneName, c.Width/3)}
	place := map[lifecycle.SessionID]int{}
	for i, session := range s.Order[first:min(len(s.Order), first+rows)] {
		place[session] = i
		g.lanes = append(g.lanes, laneOf{session: session})
	}
	var stretches []lanes.Stretch
	s.each(func(run *lifecycle.Run, ran lanes.Stretch) {
		stretches = append(stretches, ran)
		if i, shown := place[run.Session]; shown {
			g.lanes[i].runs = append(g.lanes[i].runs, *run)
		}
	})
	g.axis = newAxis(stretches, c.Width-g.name-2)
	g.whole = g.axis.Busy
	if z := v.zoom; !z.whole() {
		g.axis = g.axis.within(z.lo, z.hi)
	}
	return g
}

// window is the first lane in sight: the last picture's, as far as the one with the cursor
// lets it.
func (v *View) window(s Session, rows int) int {
	at := max(0, slices.Index(s.Order, v.Session))
	v.first = max(at-rows+1, min(v.first, at), 0)
	v.first = max(0, min(v.first, len(s.Order)-rows))
	return v.first
}

// Render draws the lanes, the axis below them, and what the cursor is on.
func (v *View) Render(c draw.Canvas, s Session, rows Rows) []draw.Styled {
	g := v.chart(c, s, rows.Lanes)
	v.hits = hits{left: g.name + 1, axis: g.axis}
	mark, on := v.Cursor(s)
	under := s.History.Open(c.Now, func(session lifecycle.SessionID) bool {
		return slices.ContainsFunc(g.lanes, func(lane laneOf) bool { return lane.session == session })
	})
	cells := newLane(c, g.axis)
	var lines []draw.Styled
	for _, lane := range g.lanes {
		cells.Clear()
		for i := range lane.runs {
			cells.Run(&lane.runs[i])
		}
		if over := s.History.Lanes[lane.session]; over != nil {
			cells.All(over.Marks)
		}
		cells.All(under[lane.session])
		cells.Settle()
		if on && lane.session == v.Session {
			cells.Choose(&mark)
		}
		lines = append(lines, v.renderLane(c, s, g, lane, cells.Line()))
		v.hits.sessions = append(v.hits.sessions, lane.session)
	}
	lines = append(lines, draw.Pad("", g.name+1)+ticks(c, g.axis))
	lines = append(lines, v.renderMark(c, s, g, rows.Words)...)
	return append(lines, renderSigns(c, seldom{cut: len(g.axis.scale) > 1, placed: g.placed()}, rows.Signs)...)
}

// Part says which part of the time is in sight, and whether all of the log is on the lanes;
// empty if it is the whole of all.
func (v *View) Part(c draw.Canvas, s Session) draw.Styled {
	var part, reading draw.Styled
	if !v.zoom.whole() {
		whole := s.axis(1).Busy
		part = c.Theme.Dim.Draw(draw.Sprintf("%s of %s", words.Rounded(v.zoom.hi-v.zoom.lo), words.Rounded(whole)))
	}
	switch h := s.History; {
	case h.Trouble != "":
		reading = c.Theme.Bad.Draw(draw.Sprintf("the log cannot be read: %s", h.Trouble))
	case h.Reading:
		reading = c.Theme.Warn.Draw(draw.Sprintf("reading the log: %d %%", h.Share(s.Newest)))
	}
	return c.Join(part, reading)
}

// renderLane draws one session: its name, and what it did when.
func (v *View) renderLane(c draw.Canvas, s Session, g chart, lane laneOf, cells draw.Styled) draw.Styled {
	title, lead, look := wording.Name(s.Runs.Latest(lane.session)), draw.Styled("  "), c.Theme.Text
	if lane.session == s.Runs.Root() {
		title = "main agent"
	}
	if lane.session == v.Session {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	return draw.Pad(lead+look.Draw(c.Cut(title, g.name-3)), g.name+1) + cells
}
