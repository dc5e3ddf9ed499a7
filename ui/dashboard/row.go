package dashboard

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/timeline"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// Source is what a board reads at one moment. It changes nothing of it.
type Source struct {
	timeline.Session // its Order is the board's
	Log              *Log
	Card             func(lifecycle.SessionID) transcript.Card // of its newest run
	Away             func(lifecycle.Run) bool                  // somebody has hidden its line
	Stamp            int                                       // another one whenever something changed that no record says
}

// need is how much a run needs its user, the most first.
type need int

const (
	asks need = iota
	look
	works
	queued
	idle // the main agent between two turns: it has not ended
	ended
)

// row is a session in the table.
type row struct {
	session lifecycle.SessionID
	run     lifecycle.Run // the newest
	need    need
	usage   lifecycle.Usage // of all its runs
	before  time.Duration   // that all but the newest ran
	denied  int
	name    sanitize.Text
	sought  string // what the filter goes through, in small letters
}

// elapsed is how long its runs have been there.
func (r *row) elapsed(now time.Time) time.Duration { return r.before + r.run.Elapsed(now) }

// rows are all sessions as first spawned, the root first.
func rows(s Source, reuse []row) []row {
	all := reuse[:0]
	place := map[lifecycle.SessionID]int{}
	for run := range s.Runs.Runs() {
		at, known := place[run.Session]
		if !known {
			at = len(all)
			place[run.Session] = at
			all = append(all, row{session: run.Session})
		}
		r := &all[at]
		r.usage = r.usage.Add(run.Usage)
		if r.run.ID != "" {
			r.before += r.run.Elapsed(s.Now)
		}
		r.run = run
	}
	for i := range all {
		r := &all[i]
		r.denied = s.Runs.DeniedTo(r.session)
		r.need = needOf(s, r)
		r.name = wording.Name(r.run)
		r.sought = strings.ToLower(strings.Join([]string{string(r.name), r.run.Type, r.run.Model, string(wording.Standing(r.run)), needWords[r.need]}, " "))
	}
	return all
}

// needOf says how much a run needs its user.
func needOf(s Source, r *row) need {
	run := r.run
	switch {
	case len(run.Asked) > 0 && !run.State.Terminal():
		return asks
	case s.Runs.Lost(run.ID):
		return look
	case run.State == lifecycle.StateQueued:
		return queued
	case !run.State.Terminal():
		if s.Card(r.session).Overdue() {
			return look
		}
		return works
	case s.Away(run):
		return ended
	}
	switch run.State {
	case lifecycle.StateFailed, lifecycle.StateCompletedEmpty, lifecycle.StateInterrupted:
		return look
	case lifecycle.StateCompleted, lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		if r.denied > 0 {
			return look
		}
	case lifecycle.StateQueued, lifecycle.StateRunning:
	}
	if r.session == s.Runs.Root() && !s.Card(r.session).Over {
		return idle
	}
	return ended
}

// needWords are what a number of such runs does, as the head counts them.
var needWords = [...]string{asks: "asks", look: "to look at", works: "work", queued: "queued", idle: "idle", ended: "ended"}
