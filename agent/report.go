package agent

import (
	"fmt"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// RunReport is what a parent's model is told of one of its runs, besides the run's text:
// its state, why it ended and who wanted that, whether anything still runs, and what can
// be done next. Notifications and the agent tools use the same words.
type RunReport struct {
	lifecycle.Status
	Agent       lifecycle.SessionID
	Description string
	Silent      bool   // it left no text
	Steps       int    // requests to its model; 0: it had not begun
	Last        string // its last tool call, in one line
	Denials     []lifecycle.Denial
	Unread      int // messages that it was sent and did not read
	Worktree    *lifecycle.Worktree
}

// ReportOf describes a run as it is now.
func ReportOf(run lifecycle.Run) RunReport {
	return RunReport{
		Status: run.Status(), Agent: run.Session, Description: run.Description,
		Silent: run.Output() == "", Steps: run.Usage.Steps, Last: run.LastTool, Denials: run.Denials, Unread: run.Unread, Worktree: run.Worktree,
	}
}

// Summary is one line: which agent or shell, its state, and why.
func (r RunReport) Summary() string {
	what := "Agent"
	if r.Kind == lifecycle.KindShell {
		what = "Shell"
	}
	return fmt.Sprintf("%s %q %s.", what, words.CutLine(r.Description, maxName), r.Words(lifecycle.ForModel))
}
