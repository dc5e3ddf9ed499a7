package timeline

import (
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
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
	tail  laneTail
	axis  axis
	whole time.Duration // that something ran, in sight or not
}

// laneOf is a lane in sight: a session and its runs.
type laneOf struct {
	session lifecycle.SessionID
	runs    []lifecycle.Run
}

// chart lays out as many lanes as there are rows, that with the cursor among them.
func (v *View) chart(c draw.Canvas, s Session, rows int) chart {
	all := s.lanes()
	at := max(0, slices.Index(all, v.Session))
	first := max(0, min(at-rows/2, len(all)-rows))
	g := chart{name: min(laneName, c.Width/3)}
	place := map[lifecycle.SessionID]int{}
	for i, session := range all[first:min(len(all), first+rows)] {
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
	g.tail = tailOf(c, g.lanes)
	g.axis = newAxis(stretches, c.Width-g.name-2-g.tail.width())
	g.whole = g.axis.Busy
	if z := v.zoom; !z.whole() {
		g.axis = g.axis.within(z.lo, z.hi)
	}
	return g
}

// rows are how many rows of a height the parts of the timeline get.
type rows struct{ head, lanes, words, signs int }

func rowsOf(height int) rows {
	r := rows{head: 2, words: 2, signs: 3}
	switch {
	case height < 6:
		r = rows{words: 1}
	case height < 14:
		r = rows{head: 1, words: 2}
	}
	r.lanes = max(1, height-r.head-r.words-r.signs-1)
	if r.signs > 0 {
		r.lanes-- // a line between
	}
	return r
}

// Render draws the lanes, the axis below them, and what the cursor is on, in so many
// lines at most.
func (v *View) Render(c draw.Canvas, s Session, height int) []draw.Styled {
	rows := rowsOf(height)
	g := v.chart(c, s, rows.lanes)
	lines := v.renderHead(c, s, g, rows.head)
	v.hits = hits{row: len(lines), left: g.name + 1, axis: g.axis}
	mark, on := v.Cursor(s)
	under := s.History.Open(c.Now)
	cells := newLane(c, g.axis)
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
	lines = append(lines, v.renderMark(c, s, g, rows.words)...)
	lines = append(lines, renderSigns(c, rows.signs)...)
	return lines[:min(len(lines), max(0, height))]
}

// renderHead says what part of what is shown.
func (v *View) renderHead(c draw.Canvas, s Session, g chart, rows int) []draw.Styled {
	if rows == 0 {
		return nil
	}
	title := c.Theme.Strong.Draw("Timeline")
	var part, reading draw.Styled
	if !v.zoom.whole() {
		part = c.Theme.Dim.Draw(draw.Sprintf("%s of %s", words.Rounded(g.axis.Busy), words.Rounded(g.whole)))
	}
	switch h := s.History; {
	case h.Trouble != "":
		reading = c.Theme.Bad.Draw(draw.Sprintf("the log cannot be read: %s", h.Trouble))
	case h.Reading:
		reading = c.Theme.Warn.Draw(draw.Sprintf("reading the log: %d %%", h.Share(s.Newest)))
	}
	all := s.lanes()
	place := c.Theme.Faint.Draw(draw.Sprintf("%d of %d", slices.Index(all, v.Session)+1, len(all)))
	return []draw.Styled{c.Between(c.Join(title, part, reading), place), ""}[:rows]
}

// renderLane draws one session: its name, what it did when, and what stands behind.
func (v *View) renderLane(c draw.Canvas, s Session, g chart, lane laneOf, cells draw.Styled) draw.Styled {
	title, lead, look := wording.Name(s.Runs.Latest(lane.session)), draw.Styled("  "), c.Theme.Text
	if lane.session == s.Runs.Root() {
		title = "main agent"
	}
	if lane.session == v.Session {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	left := draw.Pad(lead+look.Draw(c.Cut(title, g.name-3)), g.name+1)
	return left + cells + g.tail.draw(c, s, lane)
}

// laneTail is what stands behind a lane, as far as there is room: which model, what it
// cost, for how long it ran. One that waits for a slot has its place in the line there.
type laneTail struct{ model, cost, took int }

func tailOf(c draw.Canvas, lanes []laneOf) laneTail {
	t := laneTail{took: 7}
	if c.Width < 30 {
		return laneTail{}
	}
	for _, lane := range lanes {
		for _, run := range lane.runs {
			if c.Width >= 72 && run.Usage.Cost > 0 {
				t.cost = 8
			}
			if c.Width >= 100 && (run.Model != "" || run.State == lifecycle.StateQueued) {
				t.model = 18
			}
		}
	}
	return t
}

func (t laneTail) width() int { return t.model + t.cost + t.took }

func (t laneTail) draw(c draw.Canvas, s Session, lane laneOf) draw.Styled {
	var cost float64
	var took time.Duration
	var last lifecycle.Run
	for _, run := range lane.runs {
		cost, took, last = cost+run.Usage.Cost, took+run.Elapsed(c.Now), run
	}
	right := func(text sanitize.Text, room int, look draw.Paint) draw.Styled {
		if room == 0 {
			return ""
		}
		text = c.Cut(text, room-1)
		return draw.Pad("", room-draw.Cells(text)) + look.Draw(text)
	}
	model := sanitize.Line(last.Model[strings.LastIndexByte(last.Model, '/')+1:])
	if last.State == lifecycle.StateQueued {
		model = draw.Sprintf("%s in line", wording.Ordinal(s.Runs.Position(last.ID)))
	}
	return right(model, t.model, c.Theme.Faint) + right(draw.Dollars(cost), t.cost, c.Theme.Dim) + right(sanitize.Line(words.Duration(took)), t.took, c.Theme.Dim)
}
