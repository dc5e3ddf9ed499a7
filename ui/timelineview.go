package ui

import (
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/timeline"
	"pawl/ui/wording"
)

// laneName is the room that the name of a lane gets.
const laneName = 22

// chart is one picture of the timeline: the lanes that are in sight, and their axis.
type chart struct {
	lanes []laneOf
	name  int // the columns of the names
	tail  laneTail
	axis  timeline.Axis
	whole time.Duration // that something ran, in sight or not
}

// laneOf is a lane in sight: a session and its runs.
type laneOf struct {
	session lifecycle.SessionID
	runs    []lifecycle.Run
}

// wholeAxis is all of the session's time over some columns.
func (m *model) wholeAxis(columns int) timeline.Axis {
	var spans []timeline.Span
	m.eachRun(func(run *lifecycle.Run, ran timeline.Span) { spans = append(spans, ran) })
	return timeline.NewAxis(spans, columns)
}

// eachRun gives every run, as spawned, and the time in which it was there: until now of
// one that lives.
func (m *model) eachRun(fn func(run *lifecycle.Run, ran timeline.Span)) {
	now := m.clock.Read()
	for run := range m.runs.Runs() {
		fn(&run, timeline.Span{From: run.SpawnedAt, To: run.SpawnedAt.Add(run.Elapsed(now))})
	}
}

// chartOf lays out as many lanes as there are rows, that with the cursor among them.
func (m *model) chartOf(c draw.Canvas, rows int) chart {
	all := m.lanes()
	at := max(0, slices.Index(all, m.timeline.session))
	first := max(0, min(at-rows/2, len(all)-rows))
	g := chart{name: min(laneName, c.Width/3)}
	place := map[lifecycle.SessionID]int{}
	for i, session := range all[first:min(len(all), first+rows)] {
		place[session] = i
		g.lanes = append(g.lanes, laneOf{session: session})
	}
	var spans []timeline.Span
	m.eachRun(func(run *lifecycle.Run, ran timeline.Span) {
		spans = append(spans, ran)
		if i, shown := place[run.Session]; shown {
			g.lanes[i].runs = append(g.lanes[i].runs, *run)
		}
	})
	g.tail = tailOf(c, g.lanes)
	g.axis = timeline.NewAxis(spans, c.Width-g.name-2-g.tail.width())
	g.whole = g.axis.Busy
	if z := m.timeline.zoom; !z.Whole() {
		g.axis = g.axis.Within(z.Lo, z.Hi)
	}
	return g
}

// timelineRows are how many rows of a height the parts of the timeline get.
type timelineRows struct{ head, lanes, words, signs int }

func timelineRowsOf(height int) timelineRows {
	r := timelineRows{head: 2, words: 2, signs: 3}
	switch {
	case height < 6:
		r = timelineRows{words: 1}
	case height < 14:
		r = timelineRows{head: 1, words: 2}
	}
	r.lanes = max(1, height-r.head-r.words-r.signs-1)
	if r.signs > 0 {
		r.lanes-- // a line between
	}
	return r
}

// renderTimeline draws the lanes, the axis below them, and what the cursor is on.
func (m *model) renderTimeline(c draw.Canvas, height int) []draw.Styled {
	rows := timelineRowsOf(height)
	g := m.chartOf(c, rows.lanes)
	lines := m.renderTimelineHead(c, g, rows.head)
	hits := laneHits{row: len(lines), left: g.name + 1, axis: g.axis}
	mark, on := m.cursor()
	under := m.chronicle.Open(c.Now)
	cells := timeline.NewLane(c, g.axis)
	for _, lane := range g.lanes {
		cells.Clear()
		for i := range lane.runs {
			cells.Run(&lane.runs[i])
		}
		if over := m.chronicle.Strips[lane.session]; over != nil {
			cells.All(over.Marks)
		}
		cells.All(under[lane.session])
		cells.Settle()
		if on && lane.session == m.timeline.session {
			cells.Choose(&mark)
		}
		lines = append(lines, m.renderLane(c, g, lane, cells.Line()))
		hits.sessions = append(hits.sessions, lane.session)
	}
	m.picture.hits.lanes = hits
	lines = append(lines, draw.Pad("", g.name+1)+timeline.Ticks(c, g.axis))
	lines = append(lines, m.renderMarkWords(c, g, rows.words)...)
	lines = append(lines, renderSigns(c, rows.signs)...)
	return lines[:min(len(lines), max(0, height))]
}

// renderTimelineHead says what part of what is shown.
func (m *model) renderTimelineHead(c draw.Canvas, g chart, rows int) []draw.Styled {
	if rows == 0 {
		return nil
	}
	title := c.Theme.Strong.Draw("Timeline")
	var part, reading draw.Styled
	if !m.timeline.zoom.Whole() {
		part = c.Theme.Dim.Draw(draw.Sprintf("%s of %s", words.Rounded(g.axis.Busy), words.Rounded(g.whole)))
	}
	switch h := &m.chronicle; {
	case h.Trouble != "":
		reading = c.Theme.Bad.Draw(draw.Sprintf("the log cannot be read: %s", h.Trouble))
	case h.Reading:
		reading = c.Theme.Warn.Draw(draw.Sprintf("reading the log: %d %%", m.chronicledShare()))
	}
	all := m.lanes()
	place := c.Theme.Faint.Draw(draw.Sprintf("%d of %d", slices.Index(all, m.timeline.session)+1, len(all)))
	return []draw.Styled{c.Between(c.Join(title, part, reading), place), ""}[:rows]
}

// renderLane draws one session: its name, what it did when, and what stands behind.
func (m *model) renderLane(c draw.Canvas, g chart, lane laneOf, cells draw.Styled) draw.Styled {
	title, lead, look := wording.Name(m.runs.Latest(lane.session)), draw.Styled("  "), c.Theme.Text
	if lane.session == m.runs.Root() {
		title = "main agent"
	}
	if lane.session == m.timeline.session {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	left := draw.Pad(lead+look.Draw(c.Cut(title, g.name-3)), g.name+1)
	return left + cells + g.tail.draw(c, m, lane)
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

func (t laneTail) draw(c draw.Canvas, m *model, lane laneOf) draw.Styled {
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
		model = draw.Sprintf("%s in line", wording.Ordinal(m.runs.Position(last.ID)))
	}
	return right(model, t.model, c.Theme.Faint) + right(draw.Dollars(cost), t.cost, c.Theme.Dim) + right(sanitize.Line(words.Duration(took)), t.took, c.Theme.Dim)
}
