package process

import (
	"context"
	"errors"
	"time"
)

// Stop says what ended a program before its time.
type Stop string

// The ways to be stopped.
const (
	NotStopped    Stop = ""
	StopCanceled  Stop = "canceled"
	StopTimeLimit Stop = "time_limit"
)

// errTimeLimit is why a context ended whose time limit passed.
var errTimeLimit = errors.New("time limit")

// Finished is what is known of a program when it has ended.
type Finished struct {
	Output   Output // both streams, in the order in which they came
	ExitCode int    // as a shell gives it: 128 + n for signal n; -1 where nobody knows
	Stopped  Stop
	Left     int           // processes that outlived it and were ended with it
	Took     time.Duration // 0: it was never started
	// Sandboxed is a line for the model, where the sandbox may be why it failed.
	Sandboxed string
	// Refused is what the closed sandbox seems to have refused a command that ran in it, for
	// people: the network, or changing a file. Empty: nothing.
	Refused string
}

func stopOf(ctx context.Context) Stop {
	if errors.Is(context.Cause(ctx), errTimeLimit) {
		return StopTimeLimit
	}
	return StopCanceled
}
