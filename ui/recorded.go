package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/dashboard"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/replay"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// Recorded makes the screen one of what is over: all of it can be read, nothing of it
// goes on. No Route is needed, and none is asked. What Options keep from one start to
// the next, drafts, what was seen and prompts, has to be nil.
type Recorded struct {
	Name string // as people write it: a file, or the id of a session
	// At is when its last record was written: the time of the screen, unless it is played.
	At time.Time
	// Replay plays it, from its first record on; nil: it is opened at its end.
	Replay *replay.Player
}

// now is the clock of the screen: a recording's time stands still, or goes as it is played.
func (o Options) now() func() time.Time {
	switch r := o.Recorded; {
	case r == nil:
		return time.Now
	case r.Replay != nil:
		return r.Replay.Now
	default:
		return func() time.Time { return r.At }
	}
}

// follow sends what happens in the session from a snapshot on, until ctx ends; of a
// recording, what is played of it.
func (o Options) follow(ctx context.Context, from lifecycle.Snapshot, send func(tea.Msg)) error {
	switch r := o.Recorded; {
	case r == nil:
		return o.Route.Watch(ctx, from.Root, from.Seq, terminal.Pump(ctx, func(u lifecycle.Updates) { send(u) }))
	case r.Replay != nil:
		return r.Replay.Run(ctx, func(f replay.Frame) { send(f) })
	}
	return nil
}

// recorded reports whether the screen shows a recording.
func (m *model) recorded() bool { return m.options.Recorded != nil }

const onlyReadWords sanitize.Text = "this is a recording: it is read-only"

// onlyRead answers whatever would act on the session.
func (m *model) onlyRead() tea.Cmd {
	m.say(draw.Quiet, onlyReadWords)
	return nil
}

// played takes in what a replay shows next.
func (m *model) played(f replay.Frame) tea.Cmd {
	if f.Again {
		m.rewind()
	}
	m.replay = f.State
	cmd := m.takeUpdates(lifecycle.Updates{Records: f.Records})
	if !f.State.Leaping {
		m.settleReplay()
	}
	return cmd
}

// rewind forgets the session, to fold it again from its first record. What is open of
// it stays open, if it is there when the replay arrives.
func (m *model) rewind() {
	if m.before == nil {
		m.before = m.talks
	}
	m.stopReading()
	for _, v := range m.views {
		v.since = 0
	}
	m.dock = dock.Dock{}
	wanted := m.history.Wanted
	m.history = dashboard.Log{}
	m.history.Wanted = wanted
	m.begin()
}

// settleReplay settles what is shown where a replay has come to.
func (m *model) settleReplay() {
	for session, was := range m.before {
		m.talk(session).Inherit(was.Blocks)
	}
	m.before = nil
	known := func(session lifecycle.SessionID) bool {
		return session == m.runs.Root() || m.runs.Latest(session).ID != ""
	}
	if m.card != dock.Ends && !known(m.card) {
		m.card = ""
	}
	if !known(m.open) {
		m.open = m.runs.Root()
	}
	if !known(m.split.Beside) {
		m.split.Beside = ""
	}
	if m.dashboard != nil && !known(m.dashboard.Lanes.Session) {
		m.dashboard = nil
	}
}

// renderRecording draws the line that stands in the place of a composer: what the recording
// holds or, while it is played, how far that is.
func (m *model) renderRecording(c draw.Canvas) draw.Styled {
	r := m.options.Recorded
	if r.Replay != nil {
		return replayLine(c, m.replay)
	}
	records := sanitize.Line(words.Count(int(m.options.Snapshot.Seq), "record"))
	for _, words := range []sanitize.Text{
		draw.Sprintf("read only %s %s, the last of %s", draw.Dot, records, stamp(r.At)),
		draw.Sprintf("read only %s %s", draw.Dot, records),
	} {
		if draw.Cells(words)+2 <= c.Width {
			return "  " + c.Theme.Dim.Draw(words)
		}
	}
	return "  " + c.Theme.Dim.Draw("read only")
}

func stamp(at time.Time) sanitize.Text {
	return draw.Sprintf("%s", at.UTC().Format("2006-01-02 15:04 UTC"))
}

// leastBar is how long a bar has to be to show anything, in cells.
const leastBar = 6

// replayLine draws how far a replay is: how it goes, a bar to the scale of recorded time, and
// that in figures. What matters least gives way first.
func replayLine(c draw.Canvas, s replay.State) draw.Styled {
	whole, past := s.Last.Sub(s.First), max(0, c.Now.Sub(s.First))
	long, brief := going(c, s)
	times := draw.Sprintf("%s of %s", words.Duration(past), words.Duration(whole))
	records := draw.Sprintf("record %d of %d", int64(s.Seq), int64(s.Upto))
	for _, one := range []struct {
		head, tail sanitize.Text
		bar        int
	}{
		{long, times + " · " + records, leastBar},
		{long, draw.Sprintf("%s %s %d/%d", times, draw.Dot, int64(s.Seq), int64(s.Upto)), leastBar},
		{long, times, leastBar},
		{brief, draw.Sprintf("%s %s %d/%d", times, draw.Dot, int64(s.Seq), int64(s.Upto)), leastBar},
		{brief, times, leastBar},
		{brief, draw.Sprintf("%d/%d", int64(s.Seq), int64(s.Upto)), 0},
	} {
		room := c.Width - draw.Cells(one.head) - draw.Cells(one.tail) - 4
		if room < one.bar {
			continue
		}
		return c.Theme.Accent.Draw(one.head) + "  " + bar(c, past, whole, room) + "  " + c.Theme.Dim.Draw(one.tail)
	}
	return c.Theme.Accent.Draw(c.Cut(brief, c.Width))
}

// going says whether a replay goes on and how fast, in a sign and in words.
func going(c draw.Canvas, s replay.State) (long, brief sanitize.Text) {
	speed := draw.Sprintf("%gx", s.Speed)
	switch {
	case s.Over():
		return c.Glyphs.Stopped + " the end", c.Glyphs.Stopped + " the end"
	case s.Paused:
		return c.Glyphs.Hold + " " + speed + " held", c.Glyphs.Hold + " " + speed
	case s.Silence > 0:
		return draw.Sprintf("%s %s %s skipped %s of silence", c.Glyphs.Play, speed, draw.Dot, words.Duration(s.Silence)), draw.Sprintf("%s %s skipped", c.Glyphs.Play, speed)
	}
	return c.Glyphs.Play + " " + speed, c.Glyphs.Play + " " + speed
}

// bar draws what has passed of a whole.
func bar(c draw.Canvas, past, whole time.Duration, width int) draw.Styled {
	if width < leastBar {
		return ""
	}
	done := width
	if whole > 0 {
		done = min(width, int(float64(width)*float64(past)/float64(whole)))
	}
	rest := strings.Repeat(string(c.Glyphs.Rule), width-done)
	return c.Theme.Accent.Draw(sanitize.Text(strings.Repeat(string(c.Glyphs.Bars), done))) + c.Theme.Faint.Draw(sanitize.Text(rest))
}

// renderRecordedStatus draws the last line of a recording: what it is, what runs in it,
// what it cost, and what the keys do.
func (m *model) renderRecordedStatus(c draw.Canvas) draw.Styled {
	kind := c.Theme.Warn.Draw("recording")
	path := sanitize.Line(m.options.Recorded.Name)
	name, last := c.Theme.Dim.Draw(path), c.Theme.Dim.Draw(path[strings.LastIndexByte(string(path), '/')+1:])
	runs, work := m.work(c)
	spent := m.runs.Spent()
	var tokens draw.Styled
	if n := spent.Tokens(); n > 0 {
		tokens = c.Theme.Dim.Draw(draw.Sprintf("%s%s tokens", transcript.Approximately(spent), draw.Tokens(n)))
	}
	cost, hint := c.Theme.Dim.Draw(draw.Dollars(spent.Cost)), c.Theme.Faint.Draw(m.hint())
	for _, parts := range [][]draw.Styled{
		{kind, name, work, tokens, cost},
		{kind, name, work, cost},
		{kind, name, work},
		{kind, last, work},
		{kind, work},
		{kind, runs},
		{kind},
	} {
		line := "  " + c.Join(parts...)
		if draw.Cells(line)+draw.Cells(hint)+2 <= c.Width {
			return c.Between(line, hint)
		}
	}
	return c.CutStyled("  "+c.Join(kind, name), c.Width)
}
