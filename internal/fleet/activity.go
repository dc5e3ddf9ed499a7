package fleet

import (
	"fmt"
	"slices"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// longestActivity is the length of an activity in runes: more than a line of a screen.
const longestActivity = 200

// activity is one line: what a session does or why it is quiet.
func activity(l *lifecycle.Ledger, f Facts, s Status) string {
	return words.CutLine(doing(l, f, s), longestActivity)
}

func doing(l *lifecycle.Ledger, f Facts, s Status) string {
	root := l.Latest(l.Root())
	busiest, asking := newestOf(l)
	switch {
	case f.Fault != "":
		return "not saved: " + f.Fault
	case asking.ID != "":
		return of(asking, f)
	case root.ID != "" && !root.State.Terminal():
		return of(root, f)
	case s.Subagents > 1:
		return words.Count(s.Subagents, "subagent") + " · " + of(busiest, f)
	case s.Subagents == 1:
		return of(busiest, f)
	case f.Waking:
		return "about to be told what has ended"
	case s.Shells > 0:
		return words.CountOf(s.Shells, "command runs", "commands run") + " in the background"
	}
	if owed := len(slices.DeleteFunc(l.Owed(l.Root()), lifecycle.Run.UserShell)); owed > 0 {
		return words.CountOf(owed, "result waits", "results wait") + " for your next message"
	}
	if root.ID == "" {
		return "nothing was asked yet"
	}
	return of(root, f)
}

// newestOf returns the live subagent that was heard of last, and the run that asks something, the
// oldest of several.
func newestOf(l *lifecycle.Ledger) (heard, asking lifecycle.Run) {
	for _, run := range l.Live() {
		if run.Subagent() && (heard.ID == "" || run.HeardAt.After(heard.HeardAt)) {
			heard = run
		}
		if len(run.Asked) > 0 && asking.ID == "" {
			asking = run
		}
	}
	return heard, asking
}

// of is what a run does, with its description if it is a subagent's.
func of(run lifecycle.Run, f Facts) string {
	line := run.Activity(f.Progress[run.ID], f.Now)
	if run.Subagent() {
		return fmt.Sprintf("%s: %s", run.Description, line)
	}
	return line
}
