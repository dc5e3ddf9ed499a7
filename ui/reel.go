package ui

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/replay"
)

// renderReel draws the line that stands in the place of a composer: what the recording
// holds or, while it is played, how far that is.
func (m *model) renderReel(c canvas) styled {
	r := m.options.Recorded
	if r.Replay != nil {
		return c.reel(m.reel)
	}
	records := sanitize.Line(words.Count(int(m.options.Snapshot.Seq), "record"))
	for _, words := range []sanitize.Text{
		say("read only %s %s, the last of %s", dot, records, stamp(r.At)),
		say("read only %s %s", dot, records),
	} {
		if cells(words)+2 <= c.width {
			return "  " + c.theme.dim.draw(words)
		}
	}
	return "  " + c.theme.dim.draw("read only")
}

func stamp(at time.Time) sanitize.Text { return say("%s", at.UTC().Format("2006-01-02 15:04 UTC")) }

// leastBar is how long a bar has to be to show anything, in cells.
const leastBar = 6

// reel draws how far a replay is: how it goes, a bar to the scale of recorded time, and
// that in figures. What matters least gives way first.
func (c canvas) reel(s replay.State) styled {
	whole, past := s.Last.Sub(s.First), max(0, c.now.Sub(s.First))
	long, brief := c.going(s)
	times := say("%s of %s", words.Duration(past), words.Duration(whole))
	records := say("record %d of %d", int64(s.Seq), int64(s.Upto))
	for _, one := range []struct {
		head, tail sanitize.Text
		bar        int
	}{
		{long, times + " · " + records, leastBar},
		{long, say("%s %s %d/%d", times, dot, int64(s.Seq), int64(s.Upto)), leastBar},
		{long, times, leastBar},
		{brief, say("%s %s %d/%d", times, dot, int64(s.Seq), int64(s.Upto)), leastBar},
		{brief, times, leastBar},
		{brief, say("%d/%d", int64(s.Seq), int64(s.Upto)), 0},
	} {
		room := c.width - cells(one.head) - cells(one.tail) - 4
		if room < one.bar {
			continue
		}
		return c.theme.accent.draw(one.head) + "  " + c.bar(past, whole, room) + "  " + c.theme.dim.draw(one.tail)
	}
	return c.theme.accent.draw(c.cut(brief, c.width))
}

// going says whether a replay goes on and how fast, in a sign and in words.
func (c canvas) going(s replay.State) (long, brief sanitize.Text) {
	speed := say("%gx", s.Speed)
	switch {
	case s.Over():
		return c.glyphs.stopped + " the end", c.glyphs.stopped + " the end"
	case s.Paused:
		return c.glyphs.hold + " " + speed + " held", c.glyphs.hold + " " + speed
	case s.Silence > 0:
		return say("%s %s %s skipped %s of silence", c.glyphs.play, speed, dot, words.Duration(s.Silence)), say("%s %s skipped", c.glyphs.play, speed)
	}
	return c.glyphs.play + " " + speed, c.glyphs.play + " " + speed
}

// bar draws what has passed of a whole.
func (c canvas) bar(past, whole time.Duration, width int) styled {
	if width < leastBar {
		return ""
	}
	done := width
	if whole > 0 {
		done = min(width, int(float64(width)*float64(past)/float64(whole)))
	}
	rest := strings.Repeat(string(c.glyphs.rule), width-done)
	return c.theme.accent.draw(sanitize.Text(strings.Repeat(string(c.glyphs.bars), done))) + c.theme.faint.draw(sanitize.Text(rest))
}

// renderRecordedStatus draws the last line of a recording: what it is, what runs in it,
// what it cost, and what the keys do.
func (m *model) renderRecordedStatus(c canvas) styled {
	kind := c.theme.warn.draw("recording")
	path := sanitize.Line(m.options.Recorded.Name)
	name, last := c.theme.dim.draw(path), c.theme.dim.draw(path[strings.LastIndexByte(string(path), '/')+1:])
	runs, work := m.work(c)
	spent := m.runs.spent()
	var tokens styled
	if n := spent.Tokens(); n > 0 {
		tokens = c.theme.dim.draw(say("%s%s tokens", about(spent), count(n)))
	}
	cost, hint := c.theme.dim.draw(dollars(spent.Cost)), c.theme.faint.draw(m.hint())
	for _, parts := range [][]styled{
		{kind, name, work, tokens, cost},
		{kind, name, work, cost},
		{kind, name, work},
		{kind, last, work},
		{kind, work},
		{kind, runs},
		{kind},
	} {
		line := "  " + c.joined(parts...)
		if cells(line)+cells(hint)+2 <= c.width {
			return c.between(line, hint)
		}
	}
	return c.cutStyled("  "+c.joined(kind, name), c.width)
}
