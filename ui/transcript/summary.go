package transcript

import (
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Summarizes reports whether the run's model writes a summary of its conversation. A request for
// one that is to be repeated is a wait, until something of its answer has come.
func (r Card) Summarizes() bool {
	run, p := r.Run, r.Progress
	return run.State == lifecycle.StateRunning && !p.Summarizing.IsZero() && p.Step == run.Step &&
		run.StopRequestedAt.IsZero() && (run.Waiting == nil || p.OutputTokens > 0)
}

// SummarizedFor is for how long a summary has been written: a run may be much older.
func (r Card) SummarizedFor(now time.Time) time.Duration {
	return max(0, now.Sub(r.Progress.Summarizing))
}

const (
	// tokensACell is how many tokens of a summary move its bar by a cell: some five cells a
	// second with most models.
	tokensACell = 16
	// leastBar is how long a bar has to be to show a movement, in cells.
	leastBar = 6
	// widestFigures are the figures behind the bar at their usual widest: it keeps its length
	// while they grow.
	widestFigures sanitize.Text = "59m59s · ↓ 99.9k tok"
)

// SummaryBar draws, behind two blanks, how a summary comes along, in the room that these figures
// leave; nothing where that is too small. No model says how long a summary will be, so the bar
// claims no share of it: it moves as its tokens come, and stands while none do.
func (r Card) SummaryBar(c draw.Canvas, room int, figures sanitize.Text) draw.Styled {
	width := min(draw.WidestBar, room-2-max(0, draw.Cells(widestFigures)-draw.Cells(figures)))
	if width < leastBar {
		return ""
	}
	if bar := c.MovingBar(width, int(r.Progress.OutputTokens/tokensACell)); bar != "" {
		return "  " + bar
	}
	return ""
}
