package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Card is a subagent's run with what its card shows besides.
type Card struct {
	Run      lifecycle.Run
	Progress lifecycle.Progress
	Position int  // place in the queue, or 0
	Unsaved  bool // its end could not be recorded
	Patient  bool // the user chose to go on waiting: do not show it as overdue
	Selected bool
	Open     bool // its session is on the screen
	Unread   bool // it has ended and nobody has opened its session since
	Over     bool // part of a recording: no key acts on it
	Held     bool // the idle parent is told of its end when the user writes
	Earlier  bool // its worktree is a later run's of its session, or the session's that this one was forked from
	Denied   int  // denied calls that were not granted since
	Pulse    *Pulse
}

func anyLive(runs []Card) bool {
	return slices.ContainsFunc(runs, func(r Card) bool { return !r.Run.State.Terminal() })
}

// stampOf changes whenever the display of some ended runs changes.
func stampOf(runs []Card) int64 {
	var stamp int64
	for _, r := range runs {
		stamp += int64(r.Run.Seq)<<4 + 16
		if r.Unsaved {
			stamp++
		}
		if r.Unread {
			stamp += 2
		}
		if r.Held {
			stamp += 4
		}
		if r.Earlier {
			stamp += 8
		}
	}
	return stamp
}

// tokens is what the run has used, including an estimate for the current step.
func (r Card) tokens() int64 {
	total := r.Run.Usage.Tokens()
	if !r.Run.State.Terminal() {
		total += r.Progress.OutputTokens
	}
	return total
}

// Approximately is a ~ if figures are partly estimated.
func Approximately(u lifecycle.Usage) sanitize.Text {
	if u.Estimated() {
		return "~"
	}
	return ""
}

// Asks reports whether the run waits for an answer of its user.
func (r Card) Asks() bool { return !r.Run.State.Terminal() && len(r.Run.Asked) > 0 }

// barred reports whether the run completed but was kept from some of its work.
func (r Card) barred() bool { return r.Run.State == lifecycle.StateCompleted && r.Denied > 0 }

// EndedWell reports whether the run completed and left nothing that its user should look at: no
// denied call, no changed file in a worktree of its own, no end that is not saved or held back.
func (r Card) EndedWell() bool {
	return r.Run.State == lifecycle.StateCompleted && r.Denied == 0 && !r.toLand() && !r.Unsaved && !r.Held
}

// toLand reports whether it has left changes to land.
func (r Card) toLand() bool { return r.Run.ToLand() && !r.Earlier }

// Sign draws the state in one cell, and a space.
func (r Card) Sign(c draw.Canvas) draw.Styled {
	switch {
	case r.Asks():
		return c.Theme.Warn.Draw(c.Glyphs.Asks) + " "
	case r.barred():
		return c.Theme.Warn.Draw(c.Glyphs.Barred) + " "
	}
	return c.Theme.State(r.Run.State).Draw(c.Glyphs.State(r.Run.State, c.Frame)) + " "
}

// Standing draws the state in words.
func (r Card) Standing(c draw.Canvas) draw.Styled {
	switch {
	case r.Asks():
		return c.Theme.Warn.Draw(asksYou)
	case r.barred():
		return c.Theme.Warn.Draw(wording.Standing(r.Run))
	}
	return c.Theme.Dim.Draw(wording.Standing(r.Run))
}

const asksYou sanitize.Text = "asks you"
