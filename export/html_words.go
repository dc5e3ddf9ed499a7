package export

import (
	"time"

	"pawl/lifecycle"
)

// wish says whose wish an end was. One that came by itself was nobody's.
func wish(cause lifecycle.Cause) string {
	switch cause {
	case "":
		return ""
	case lifecycle.CauseKey:
		return "by the user, with a key"
	case lifecycle.CauseSIGINT:
		return "by the user, with SIGINT"
	case lifecycle.CauseCommand:
		return "by the user, with a command"
	case lifecycle.CauseQuit:
		return "by the user, who quit"
	case lifecycle.CauseAgentStop:
		return "by the main agent"
	case lifecycle.CauseAgentsStop:
		return "by --agents stop"
	case lifecycle.CauseDrainTimeout:
		return "by --drain-timeout"
	case lifecycle.CauseRunEnd:
		return "with the run that had started it"
	case lifecycle.CauseProcessEnd:
		return "with its process"
	}
	return "by " + string(cause) // of a newer Pawl
}

// stateClass is the class of a state, one of ours whatever a record says.
func stateClass(state lifecycle.State) markup {
	switch state {
	case lifecycle.StateQueued:
		return "queued"
	case lifecycle.StateRunning:
		return "running"
	case lifecycle.StateCompleted:
		return "completed"
	case lifecycle.StateCompletedEmpty:
		return "empty"
	case lifecycle.StateFailed:
		return "failed"
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return "canceled"
	case lifecycle.StateInterrupted:
		return "interrupted"
	}
	return "unknown"
}

// stateWords are a state as people read it.
func stateWords(state lifecycle.State) string {
	switch state { //nolint:exhaustive // the others are words already
	case lifecycle.StateCompletedEmpty:
		return "ended without an answer"
	case lifecycle.StateCanceledByUser:
		return "stopped by the user"
	case lifecycle.StateCanceledByAgent:
		return "stopped by the main agent"
	}
	return string(state)
}

// price is what a run cost, a dash where no price is known.
func price(cost float64) string {
	if cost == 0 {
		return "–"
	}
	return dollars(cost)
}

// moment is a time to the second; clock is its time of day.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
