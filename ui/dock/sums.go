package dock

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// Sums are the figures of all subagents and commands of a session.
type Sums struct {
	Subagents, Commands   int // commands: only those that run
	Work, Ask, Wait, Look int // Look: ended, and somebody should look
	Tokens                int64
	Approximately         sanitize.Text // a ~ where the tokens are partly estimated
	Cost                  float64       // US dollars; 0 where none is known
	Occupied, Slots       int           // slots of background subagents; Slots 0: not known
}

// SumOf sums up the runs of a session.
func SumOf(runs *transcript.Runs, slots int) Sums {
	s := Sums{Slots: slots}
	for _, session := range runs.Sessions {
		s.count(runs.Latest(session))
	}
	var spent lifecycle.Usage
	for run := range runs.Runs() {
		if run.Subagent() {
			spent = spent.Add(run.Usage)
			s.Tokens += runs.Progress[run.ID].OutputTokens
		}
	}
	s.Tokens += spent.Tokens()
	s.Cost, s.Approximately = spent.Cost, transcript.Approximately(spent)
	return s
}

// count counts the newest run of a session.
func (s *Sums) count(run lifecycle.Run) {
	live := !run.State.Terminal()
	switch {
	case !run.Subagent():
		if live {
			s.Commands++
		}
		return
	case !live:
	case run.State == lifecycle.StateQueued:
		s.Wait++
	case len(run.Asked) > 0:
		s.Ask++
	default:
		s.Work++
	}
	s.Subagents++
	if run.SlotPool() == lifecycle.PoolBackground && run.HoldsSlot() {
		s.Occupied++
	}
}

// figures are the sums that are not nothing.
func (s Sums) figures(c draw.Canvas) []draw.Figure {
	var all []draw.Figure
	count := func(n, weight int, look draw.Paint, one, many sanitize.Text) {
		if n > 0 {
			all = append(all, draw.Figure{Text: counted(n, one, many), Look: look, Weight: weight})
		}
	}
	dim, t := c.Theme.Dim, c.Theme
	count(s.Subagents, 6, dim, "subagent", "subagents")
	count(s.Commands, 4, dim, "command", "commands")
	count(s.Work, 7, t.Accent, "works", "work")
	count(s.Ask, 9, t.Warn, "asks", "ask")
	count(s.Wait, 5, dim, "waits for a slot", "wait for a slot")
	count(s.Look, 8, t.Warn, "needs a look", "need a look")
	if s.Tokens > 0 {
		all = append(all, draw.Figure{Text: draw.Sprintf("%s%s tok", s.Approximately, draw.Tokens(s.Tokens)), Look: dim, Weight: 2})
	}
	if s.Cost > 0 {
		all = append(all, draw.Figure{Text: draw.Dollars(s.Cost), Look: dim, Weight: 3})
	}
	if s.Slots > 0 && s.Occupied > 0 {
		all = append(all, draw.Figure{Text: draw.Sprintf("%d of %d slots", s.Occupied, s.Slots), Look: dim, Weight: 1})
	}
	return all
}

func counted(n int, one, many sanitize.Text) sanitize.Text {
	if n == 1 {
		return "1 " + one
	}
	return draw.Sprintf("%d %s", n, many)
}

// Words draws as many of the sums as fit a width, in their order; empty where there is nothing to
// sum up.
func (s Sums) Words(c draw.Canvas, width int) draw.Styled { return c.Figures(s.figures(c), width) }
