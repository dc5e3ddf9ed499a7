package export

import (
	"time"

	"pawl/lifecycle"
)

// wish says whose wish an end was. One that came by itself was nobody's.
func wish(cause lifecycle.Cause) string {
	return cause.Words(lifecycle.ForPage)
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
	return state.Words(lifecycle.ForPage)
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
