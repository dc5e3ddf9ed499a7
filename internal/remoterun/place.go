package remoterun

import (
	"encoding/json"
	"errors"

	"pawl/agent/remote"
	"pawl/internal/checkout"
	"pawl/lifecycle"
)

// Grant is what a worker is told of a run that it may work at, as JSON.
type Grant struct {
	Checkout checkout.Ref `json:"checkout"`
}

// Place says to the process of a run where it works. It is the first line of its standard input,
// before those of its host: it holds the worker's own keys, which others could read in an
// environment.
type Place struct {
	checkout.Place
	Files   string   `json:"files"`   // the folder of its file store
	Outputs string   `json:"outputs"` // the folder for long outputs
	End     string   `json:"end"`     // the file for remote.Port.KeepEnd
	Environ []string `json:"environ"` // of the worker's machine
}

// left is what a run has left on its worker, as JSON.
type left struct {
	Checkout checkout.Result `json:"checkout"`
	// Ending is what remote.Ending reads; empty: its process ended without an outcome.
	Ending json.RawMessage `json:"ending,omitempty"`
}

// result is what has become of the checkout; nil: nobody knows.
func (l *left) result() *checkout.Result {
	if l == nil {
		return nil
	}
	return &l.Checkout
}

// completed is an outcome with what the process said of its end, if the host that heard that is gone.
func (l *left) completed(out lifecycle.Outcome) lifecycle.Outcome {
	var failure *lifecycle.Failure
	if l == nil || l.Ending == nil || !errors.As(out.Err, &failure) || failure.Kind != lifecycle.FailProcess {
		return out
	}
	ending, err := remote.Ending(l.Ending)
	if err != nil {
		return out
	}
	ending.ExitCode = out.ExitCode
	return ending
}
