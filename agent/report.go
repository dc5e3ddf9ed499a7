package agent

import (
	"fmt"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// RunReport is what a parent's model is told of a run of its own beside the run's
// text: what the state is and truly came from, who wanted it, whether anything of
// it still runs, and what can be done next. Notifications and the tools of
// delegation say the same words.
type RunReport struct {
	lifecycle.Status
	Agent       lifecycle.SessionID
	Description string
	Silent      bool   // it left no text
	Steps       int    // requests to its model; without any it had not begun
	Last        string // its newest tool call, in one line
	Denials     []lifecycle.Denial
	Worktree    *lifecycle.Worktree
}

// ReportOf is the account of a run as it stands.
func ReportOf(run lifecycle.Run) RunReport {
	return RunReport{
		Status: run.Status(), Agent: run.Session, Description: run.Description,
		Silent: run.Output() == "", Steps: run.Usage.Steps, Last: run.LastTool, Denials: run.Denials, Worktree: run.Worktree,
	}
}

// Summary is one line: which agent or shell, in which state, and why.
func (a RunReport) Summary() string {
	what := "Agent"
	if a.Kind == lifecycle.KindShell {
		what = "Shell"
	}
	return fmt.Sprintf("%s %q %s.", what, words.CutLine(a.Description, maxName), a.Words(lifecycle.ForModel))
}
