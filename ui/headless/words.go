package headless

import "pawl/lifecycle"

// stateWords say how a run stands, as people say it, to follow its name. The machines'
// words are in the JSON.
func stateWords(state lifecycle.State, cause lifecycle.Cause, failure *lifecycle.Failure) string {
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
		return "failed: " + failure.Line()
	case lifecycle.StateCanceledByUser:
		return "was stopped " + by(cause)
	case lifecycle.StateCanceledByAgent:
		if cause == lifecycle.CauseRunEnd {
			return "was stopped: nothing else was left to do"
		}
		return "was stopped by the main agent"
	case lifecycle.StateInterrupted:
		return "was interrupted when its process ended"
	}
	return string(state)
}

// by says which wish of a person ended a run.
func by(cause lifecycle.Cause) string {
	switch cause {
	case lifecycle.CauseSIGINT:
		return "by SIGINT"
	case lifecycle.CauseAgentsStop:
		return "by --agents stop"
	case lifecycle.CauseDrainTimeout:
		return "by --drain-timeout"
	case lifecycle.CauseKey, lifecycle.CauseCommand, lifecycle.CauseQuit, lifecycle.CauseAgentStop, lifecycle.CauseRunEnd, lifecycle.CauseProcessEnd:
	}
	return "by you"
}
