package lifecycle

import (
	"errors"
)

// State is where a run stands. The values are text, in Go as in the database
// and in every export, and final: people and programs rely on them.
type State string

// The eight states of a run.
const (
	StateQueued          State = "queued"            // it waits for a slot
	StateRunning         State = "running"           // it has a slot and a worker
	StateCompleted       State = "completed"         // it ended normally with text
	StateCompletedEmpty  State = "completed_empty"   // it ended normally, but without text even after a nudge
	StateFailed          State = "failed"            // it ended with an error, whose kind Run.Error names
	StateCanceledByUser  State = "canceled_by_user"  // a person stopped it, in whichever way
	StateCanceledByAgent State = "canceled_by_agent" // the parent's model stopped it
	StateInterrupted     State = "interrupted"       // its process ended, or what worked at it on another machine is lost
)

// States lists all of them, in the order of a run's life.
func States() []State {
	return []State{
		StateQueued, StateRunning, StateCompleted, StateCompletedEmpty,
		StateFailed, StateCanceledByUser, StateCanceledByAgent, StateInterrupted,
	}
}

// Terminal reports whether a run in this state has ended for good.
func (s State) Terminal() bool {
	switch s {
	case StateCompleted, StateCompletedEmpty, StateFailed,
		StateCanceledByUser, StateCanceledByAgent, StateInterrupted:
		return true
	case StateQueued, StateRunning:
	}
	return false
}

// Cause says what ended a run, or asked for its end. A run that ended by itself
// has none.
type Cause string

// The causes of an end.
const (
	CauseKey          Cause = "key"           // a key on the screen
	CauseSIGINT       Cause = "sigint"        // an interrupt signal
	CauseCommand      Cause = "command"       // a command, typed or sent by a program
	CauseQuit         Cause = "quit"          // the user quit and chose to stop everything
	CauseAgentStop    Cause = "agent_stop"    // the parent's model
	CauseAgentsStop   Cause = "agents_stop"   // --agents stop
	CauseDrainTimeout Cause = "drain_timeout" // --drain-timeout ran out
	CauseRunEnd       Cause = "run_end"       // of a shell: what it was started for is over
	CauseProcessEnd   Cause = "process_end"   // the process ended, or was found dead
	CauseWorkerLost   Cause = "worker_lost"   // of a remote run: nothing is heard of what worked at it
)

// State is the terminal state that a stop with this cause leads to.
func (c Cause) State() State {
	switch c {
	case CauseAgentStop, CauseRunEnd:
		return StateCanceledByAgent
	case CauseProcessEnd, CauseWorkerLost:
		return StateInterrupted
	case CauseKey, CauseSIGINT, CauseCommand, CauseQuit, CauseAgentsStop, CauseDrainTimeout:
	}
	return StateCanceledByUser
}

// Stopped is the error with which a run's context is cancelled when somebody
// asks for its end. It is a request: the state changes when the worker returns.
type Stopped struct {
	Cause  Cause
	Reason string
}

func (s *Stopped) Error() string {
	if s.Reason != "" {
		return "stopped (" + string(s.Cause) + "): " + s.Reason
	}
	return "stopped (" + string(s.Cause) + ")"
}

// FailureKind says, for machines, why a run failed.
type FailureKind string

// The kinds of failure, a closed set.
const (
	FailProvider      FailureKind = "provider"       // the model's server, after all retries
	FailRateLimited   FailureKind = "rate_limited"   // still throttled after all retries
	FailAuth          FailureKind = "auth"           // no key, or a wrong one
	FailContextLength FailureKind = "context_length" // the transcript no longer fits
	FailTruncated     FailureKind = "truncated"      // the answer was cut off
	FailRefused       FailureKind = "refused"        // the model declined
	FailMaxSteps      FailureKind = "max_steps"      // the step limit of its type
	FailBudget        FailureKind = "budget"         // money or tokens ran out
	FailSetup         FailureKind = "setup"          // it could not be started
	FailTool          FailureKind = "tool"           // a tool broke the loop: a bug in it
	FailJournal       FailureKind = "journal"        // it could not be recorded
	FailProcess       FailureKind = "process"        // its process died
	FailPanic         FailureKind = "panic"          // a bug elsewhere in Pawl, kept to this run
)

// Failure is an error of a run: the kind for machines, the message for people.
// The message is one line that names the act and the thing.
type Failure struct {
	Kind    FailureKind `json:"kind"`
	Message string      `json:"message"`
}

// Line is the failure in one sentence for people: what failed, and how.
func (f *Failure) Line() string { return f.Kind.Words() + ": " + f.Message }

func (f *Failure) Error() string { return f.Message }

// asFailure is err with a kind: its own if it is a Failure, else FailTool, because the loop
// classifies all other errors.
func asFailure(err error) *Failure {
	if failure, is := errors.AsType[*Failure](err); is {
		return failure
	}
	return &Failure{Kind: FailTool, Message: err.Error()}
}
