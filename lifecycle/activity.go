package lifecycle

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// quiet is how long a run may say nothing before its activity says for how long
// it has been silent: long enough that ordinary model latency is not a fault.
const quiet = 10 * time.Second

// Activity is the one line that says what a run is doing now, or why it is
// quiet. It is a reading of the run and its newest progress; now is the clock.
func (r Run) Activity(p Progress, now time.Time) string {
	switch {
	case r.State == StateQueued:
		return "waiting for a slot"
	case r.State.Terminal() && r.Shell():
		return r.shellEpitaph()
	case r.State.Terminal():
		return firstLine(r.epitaph())
	case !r.StopRequestedAt.IsZero():
		return "stopping"
	case r.Shell():
		return cmp.Or(p.Activity, "no output yet")
	case len(r.Asked) > 0:
		return "waiting for you: " + r.Asked[0].Tool + " " + r.Asked[0].Subject
	case r.Waiting != nil:
		return r.Waiting.Why
	case len(r.Tools) > 0:
		return r.toolActivity(p, now)
	case p.Step == r.Step && p.Activity != "":
		return p.Activity
	case p.Step == r.Step && p.Text != "":
		return lastLine(p.Text)
	case p.Step == r.Step && p.Thinking != "":
		return "thinking: " + lastLine(p.Thinking)
	case r.TextStep == r.Step && r.Partial != "":
		return lastLine(r.Partial)
	}
	return "waiting for the model"
}

func (r Run) toolActivity(p Progress, now time.Time) string {
	open := r.Tools[len(r.Tools)-1]
	line := strings.TrimSpace(open.Tool + " " + open.Label)
	if more := len(r.Tools) - 1; more > 0 {
		line += fmt.Sprintf(" (+%d)", more)
	}
	if silent := now.Sub(open.Since); p.Activity == "" && silent >= quiet {
		return fmt.Sprintf("%s · silent %s", line, silent.Truncate(time.Second))
	}
	if p.Activity != "" {
		return line + " · " + p.Activity
	}
	return line
}

// epitaph is the line an ended run leaves.
func (r Run) epitaph() string {
	switch {
	case r.Error != nil:
		return string(r.Error.Kind) + ": " + r.Error.Message
	case r.State == StateCompletedEmpty:
		return "ended without an answer"
	case r.State == StateCanceledByUser:
		return r.stopper()
	case r.State == StateCanceledByAgent:
		return "stopped by the parent agent"
	case r.State == StateInterrupted:
		return "cut off when its process ended"
	}
	return r.Output()
}

// stopper says what a person did to end the run, or let happen.
func (r Run) stopper() string {
	switch r.Cause { //nolint:exhaustive // the rest are a person's own acts, by their names
	case CauseDrainTimeout:
		return "stopped: the time for background work ran out"
	case CauseAgentsStop:
		return "stopped at the end, as asked (agents_stop)"
	}
	return "stopped by you (" + string(r.Cause) + ")"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}
