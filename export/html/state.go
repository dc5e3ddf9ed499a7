package html

import (
	"pawl/lifecycle"
)

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
