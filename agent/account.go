package agent

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Account is what a parent's model is told of a run of its own beside the run's
// text: what the state is and truly came from, who wanted it, whether anything of
// it still runs, and what can be done next. Notifications and the tools of
// delegation say the same words.
type Account struct {
	Kind        lifecycle.Kind
	Agent       lifecycle.SessionID
	Description string
	State       lifecycle.State
	Cause       lifecycle.Cause // of a run that still runs: it was asked to stop
	Reason      string
	Error       *lifecycle.Failure
	Silent      bool   // it left no text
	Steps       int    // requests to its model; without any it had not begun
	Last        string // its newest tool call, in one line
	Denials     []lifecycle.Denial
	Worktree    *lifecycle.Worktree
}

// AccountOf is the account of a run as it stands.
func AccountOf(run lifecycle.Run) Account {
	return Account{
		Kind: run.Kind, Agent: run.Session, Description: run.Description, State: run.State, Cause: run.Cause,
		Reason: run.Reason, Error: run.Error, Silent: run.Output() == "", Steps: run.Usage.Steps, Last: run.LastTool, Denials: run.Denials, Worktree: run.Worktree,
	}
}

// Summary is one line: which agent or shell, in which state, and why.
func (a Account) Summary() string {
	if a.Kind == lifecycle.KindShell {
		return fmt.Sprintf("Shell %q %s", words.CutLine(a.Description, longName), a.clause())
	}
	return fmt.Sprintf("Agent %q %s", words.CutLine(a.Description, longName), a.clause())
}

func (a Account) clause() string {
	if a.State == lifecycle.StateRunning && a.Cause != "" {
		return "was asked to stop and is still ending: " + a.because() + "."
	}
	if a.Kind == lifecycle.KindShell {
		return a.shellClause()
	}
	switch a.State {
	case lifecycle.StateCanceledByUser:
		return "was stopped: " + a.because() + "."
	case lifecycle.StateCanceledByAgent:
		if a.Reason != "" {
			return "was stopped by you with agent_stop: " + brief(a.Reason) + "."
		}
	default:
	}
	return StateClause(a.State, a.Cause, a.Error)
}

// because is the cause with the reason that was given beside it.
func (a Account) because() string {
	text := causeClause(a.Cause)
	if a.Reason != "" {
		text += " (" + brief(a.Reason) + ")"
	}
	return text
}

// StateClause says in a few words what a state is, true to its cause, to follow
// a name: "completed.", "was stopped: the user pressed a key to stop it.".
func StateClause(state lifecycle.State, cause lifecycle.Cause, failure *lifecycle.Failure) string {
	switch state {
	case lifecycle.StateQueued:
		return "waits for a free slot."
	case lifecycle.StateRunning:
		return "is running."
	case lifecycle.StateCompleted:
		return "completed."
	case lifecycle.StateCompletedEmpty:
		return "ended normally, but reported nothing, even after it was asked for its findings once more."
	case lifecycle.StateFailed:
		if failure == nil {
			return "failed."
		}
		return fmt.Sprintf("failed (%s): %s.", failure.Kind, strings.TrimRight(failure.Message, ". \n"))
	case lifecycle.StateCanceledByUser:
		return "was stopped: " + causeClause(cause) + "."
	case lifecycle.StateCanceledByAgent:
		return "was stopped by you with agent_stop."
	case lifecycle.StateInterrupted:
		return "was interrupted when Pawl's process ended."
	}
	return "is " + string(state) + "."
}

// causeClause says who or what ended a run.
func causeClause(cause lifecycle.Cause) string {
	switch cause {
	case lifecycle.CauseKey:
		return "the user pressed a key to stop it"
	case lifecycle.CauseSIGINT:
		return "an interrupt signal (SIGINT, as Ctrl+C sends it) ended Pawl and all that ran"
	case lifecycle.CauseCommand:
		return "the user stopped it with a command"
	case lifecycle.CauseQuit:
		return "the user quit Pawl and chose to stop what still ran"
	case lifecycle.CauseAgentsStop:
		return "Pawl was started to stop all subagents once you were done (--agents stop)"
	case lifecycle.CauseDrainTimeout:
		return "the time limit for finishing background work ran out"
	case lifecycle.CauseAgentStop:
		return "you stopped it with agent_stop"
	case lifecycle.CauseRunEnd:
		return "the run that it was started for has ended"
	case lifecycle.CauseProcessEnd:
		return "Pawl's process is ending"
	}
	return "no cause was recorded"
}
