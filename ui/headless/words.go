package headless

import (
	"fmt"

	"pawl/lifecycle"
)

// words say how a run stands, as people say it, to follow its name. The machines'
// words are in the JSON.
func words(state lifecycle.State, cause lifecycle.Cause, failure *lifecycle.Failure) string {
	switch state {
	case lifecycle.StateQueued:
		return "still waited for a slot"
	case lifecycle.StateRunning:
		return "was still running"
	case lifecycle.StateCompleted:
		return "completed"
	case lifecycle.StateCompletedEmpty:
		return "ended without an answer"
	case lifecycle.StateFailed:
		if failure == nil {
			return "failed"
		}
		return fmt.Sprintf("failed: %s (%s)", failure.Message, failure.Kind)
	case lifecycle.StateCanceledByUser:
		return "was stopped " + by(cause)
	case lifecycle.StateCanceledByAgent:
		if cause == lifecycle.CauseRunEnd {
			return "was stopped: nothing else was left to do"
		}
		return "was stopped by the parent agent"
	case lifecycle.StateInterrupted:
		return "was cut off when its process ended"
	}
	return string(state)
}

// by says which wish of a person ended a run.
func by(cause lifecycle.Cause) string {
	switch cause {
	case lifecycle.CauseSIGINT:
		return "by an interrupt"
	case lifecycle.CauseAgentsStop:
		return "with the parent (--agents stop)"
	case lifecycle.CauseDrainTimeout:
		return "because its time ran out (--drain-timeout)"
	case lifecycle.CauseKey, lifecycle.CauseCommand, lifecycle.CauseQuit, lifecycle.CauseAgentStop, lifecycle.CauseRunEnd, lifecycle.CauseProcessEnd:
	}
	return "by a person"
}
