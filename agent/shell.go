package agent

import (
	"strings"

	"pawl/lifecycle"
)

// shellAdvice is Advice for a background command.
func (r RunReport) shellAdvice() string {
	const gone = "Nothing of it is running any more; what it had changed stands. "
	switch r.State {
	case lifecycle.StateQueued, lifecycle.StateRunning:
		if r.Cause != "" {
			return "What it started may still be at work. You will be told when it has ended."
		}
		return "You will be told when it ends: do not poll, and do not start it again. Read what it has written with shell_output when you need that, end it with shell_kill."
	case lifecycle.StateCompleted, lifecycle.StateCompletedEmpty:
		return "Nothing of it is running any more."
	case lifecycle.StateFailed:
		if r.Error != nil && r.Error.Kind != lifecycle.FailProcess {
			return "The same call fails again in the same way: fix what the message names if you can, else tell the user."
		}
		return gone + "Its output says why."
	case lifecycle.StateCanceledByUser:
		return gone + stopAdvice(r.Cause)
	case lifecycle.StateCanceledByAgent:
		return strings.TrimSpace(gone)
	case lifecycle.StateInterrupted:
		return gone + "A signal, a closed terminal or a crash ended Pawl before it was done: do not assume that it finished, and start it again only if it is still needed."
	}
	return ""
}
