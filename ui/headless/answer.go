package headless

import (
	"fmt"
	"io"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Exit codes (section 9 of the design). A signal's takes precedence over 1, and 1 over 3.
const (
	ExitDone     = 0
	ExitFailed   = 1
	ExitSubagent = 3
	ExitSIGHUP   = 129
	ExitSIGINT   = 130
	ExitSIGPIPE  = 141 // nobody reads standard output
	ExitSIGTERM  = 143
)

// answer is the result of one prompt: the object of --output-format json.
type answer struct {
	Status    lifecycle.State     `json:"status"`
	Output    string              `json:"output"`
	ExitCode  int                 `json:"exit_code"`
	Session   lifecycle.SessionID `json:"session"`
	Demo      bool                `json:"demo,omitempty"` // a script has answered, not a model
	Error     *lifecycle.Failure  `json:"error,omitempty"`
	Cause     lifecycle.Cause     `json:"cause,omitempty"`
	Usage     lifecycle.Usage     `json:"usage"`
	Denials   []lifecycle.Denial  `json:"denials,omitempty"` // the parent's own, for this prompt
	Subagents []subagent          `json:"subagents"`
	Shells    []shell             `json:"shells"`

	told bool // people were told, while it ran, why nothing can be saved
}

type subagent struct {
	Agent       lifecycle.SessionID `json:"agent_id"`
	Run         lifecycle.RunID     `json:"run_id"`
	Description string              `json:"description"`
	Type        string              `json:"subagent_type"`
	Status      lifecycle.State     `json:"status"`
	Cause       lifecycle.Cause     `json:"cause,omitempty"`
	Error       *lifecycle.Failure  `json:"error,omitempty"`
	Output      string              `json:"output"`
	Usage       lifecycle.Usage     `json:"usage"`             // of all its runs for this prompt, so that all add up
	Denials     []lifecycle.Denial  `json:"denials,omitempty"` // as well
	Worktree    *lifecycle.Worktree `json:"worktree,omitempty"`
	Machine     string              `json:"machine,omitempty"` // another one, at which it works or worked
}

// shell is a background command. Its end is for the parent to judge and does not affect the exit
// code.
type shell struct {
	Shell       lifecycle.SessionID `json:"shell_id"`
	Description string              `json:"description"`
	Command     string              `json:"command"`
	Status      lifecycle.State     `json:"status"`
	Cause       lifecycle.Cause     `json:"cause,omitempty"` // run_end: stopped because nothing else was left to do
	ExitCode    *int                `json:"exit_code"`       // null if it has none
	Output      string              `json:"output"`
}

// conclude returns the answer at the end. signal is the exit code of the signal that ended it,
// or 0.
func conclude(l *ledger, signal int) answer {
	parent := l.parent()
	a := answer{
		Status: parent.State, Output: parent.Output(), Session: l.Root(),
		Error: parent.Error, Cause: parent.Cause, Usage: l.usage(), Denials: l.denials(l.Root()), Subagents: []subagent{}, Shells: []shell{},
	}
	for _, run := range l.shells() {
		a.Shells = append(a.Shells, shell{
			Shell: run.Session, Description: run.Description, Command: run.Command,
			Status: run.State, Cause: run.Cause, ExitCode: run.ExitCode, Output: run.Output(),
		})
	}
	left := false
	for _, run := range l.subagents() {
		a.Subagents = append(a.Subagents, subagent{
			Agent: run.Session, Run: run.ID, Description: run.Description, Type: run.Type,
			Status: run.State, Cause: run.Cause, Error: run.Error, Output: run.Output(), Usage: l.usage(run.Session),
			Denials: l.denials(run.Session), Worktree: run.Worktree, Machine: run.Machine(),
		})
		left = left || leftBehind(run.State)
	}
	switch {
	case signal != 0:
		a.ExitCode = signal
	case parent.State != lifecycle.StateCompleted:
		a.ExitCode = ExitFailed
	case left:
		a.ExitCode = ExitSubagent
	}
	return a
}

// leftBehind reports whether a subagent in this state did not succeed. One that the parent's
// model stopped does not count.
func leftBehind(state lifecycle.State) bool {
	switch state {
	case lifecycle.StateCompleted, lifecycle.StateCanceledByAgent:
		return false
	case lifecycle.StateQueued, lifecycle.StateRunning, lifecycle.StateCompletedEmpty,
		lifecycle.StateFailed, lifecycle.StateCanceledByUser, lifecycle.StateInterrupted:
		return true
	}
	return true
}

// writeText writes the answer's text. What went wrong goes to errors, one line each.
func (a answer) writeText(out, errors io.Writer) error {
	for _, s := range a.Subagents {
		switch {
		case s.Status == lifecycle.StateRunning && s.Machine != "":
			tell(errors, "subagent %q is still running on %s: reopen the session to get its result", s.Description, s.Machine)
		case leftBehind(s.Status):
			status := lifecycle.Status{State: s.Status, Cause: s.Cause, Error: s.Error}
			tell(errors, "subagent %q %s", s.Description, status.Words(lifecycle.ForPerson))
		}
		tellDenied(errors, fmt.Sprintf("subagent %q", sanitize.Line(s.Description)), s.Denials)
	}
	tellDenied(errors, "the agent", a.Denials)
	for _, s := range a.Shells {
		if s.Cause != "" && s.Cause != lifecycle.CauseAgentStop { // not by itself and not by its agent
			status := lifecycle.Status{Kind: lifecycle.KindShell, State: s.Status, Cause: s.Cause}
			tell(errors, "shell %q %s", s.Description, status.Words(lifecycle.ForPerson))
		}
	}
	if known := a.told && a.Error != nil && a.Error.Kind == lifecycle.FailJournal; a.Status != lifecycle.StateCompleted && !known {
		tell(errors, "%s", a.endSummary())
	}
	if a.Output == "" {
		return nil
	}
	_, err := fmt.Fprintln(out, sanitize.Clean(a.Output))
	return err
}

// endSummary says in one line why there is no complete answer.
func (a answer) endSummary() string {
	if a.Error != nil {
		return a.Error.Line()
	}
	return "the run " + lifecycle.Status{State: a.Status, Cause: a.Cause}.Words(lifecycle.ForPerson)
}
