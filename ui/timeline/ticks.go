package timeline

import (
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// roundSteps are the distances between ticks that people read easily.
func roundSteps() []time.Duration {
	const ms, s, m, h = time.Millisecond, time.Second, time.Minute, time.Hour
	return []time.Duration{
		ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms, 500 * ms,
		s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m, h, 2 * h, 6 * h, 12 * h, 24 * h,
	}
}

// tickRoom is about how many columns a tick has with its label, at least.
const tickRoom = 8

// step is the distance between two ticks: the least that leaves them room.
func (a axis) step() time.Duration {
	about := max(1, time.Duration(a.columns/tickRoom))
	for _, step := range roundSteps() {
		if step >= a.Busy/about {
			return step
		}
	}
	step := 24 * time.Hour
	for step < a.Busy/about {
		step *= 2
	}
	return step
}

// ticks is the axis: round times since the session began and, where nothing ran, a
// break.
func ticks(c draw.Canvas, a axis) draw.Styled {
	if len(a.spans) == 0 {
		return ""
	}
	rule := slices.Repeat([]string{string(c.Glyphs.Rule)}, a.columns)
	if a.gap > 0 {
		for _, s := range a.spans[1:] {
			rule[s.column-1] = " "
		}
	}
	step, free := a.step(), 0 // free: the first column behind the last label
	for _, s := range a.spans {
		from, to := s.From.Sub(a.Begin), s.To.Sub(a.Begin)
		for after := (from + step - 1) / step * step; after <= to && after >= from; after += step {
			label, at := words.Exact(after), a.Column(a.Begin.Add(after))
			if at < free || at+1+len(label) > a.columns || at+1+len(label) > s.column+s.columns && s.To != a.spans[len(a.spans)-1].To {
				continue
			}
			rule[at] = string(c.Glyphs.Bar)
			for i, r := range label {
				rule[at+1+i] = string(r)
			}
			free = at + 2 + len(label)
		}
	}
	return c.Theme.Faint.Draw(sanitize.Text(strings.Join(rule, "")))
}
