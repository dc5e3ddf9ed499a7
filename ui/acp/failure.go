package acp

import (
	"errors"
	"fmt"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// The codes of JSON-RPC for what a line or a request did wrong, and for what went wrong
// with it.
const (
	codeNoJSON    = -32700
	codeNoMessage = -32600
	codeNoMethod  = -32601
	codeInvalid   = -32602
	codeInternal  = -32603
	codeNoKey     = -32000 // the protocol's "authentication required"
)

// invalid refuses a request.
func invalid(format string, values ...any) *sdk.RequestError {
	return &sdk.RequestError{Code: codeInvalid, Message: string(sanitize.Line(sanitize.Ends(fmt.Sprintf(format, values...))))}
}

// NoKey is the error of an Open that finds no model to ask. It says in one line which
// variables make one; editors show it as something to set up.
type NoKey string

func (e NoKey) Error() string { return string(e) }

// unopened says why a session was not opened.
func unopened(err error) *sdk.RequestError {
	if missing := NoKey(""); errors.As(err, &missing) {
		return &sdk.RequestError{Code: codeNoKey, Message: string(sanitize.Line(missing.Error()))}
	}
	return invalid("%v", err)
}

// broken says that a request came to nothing.
func broken(err error) *sdk.RequestError {
	return &sdk.RequestError{Code: codeInternal, Message: string(sanitize.Line(sanitize.Ends(err.Error())))}
}

// verdict is how the protocol says that a run of the parent has ended.
func verdict(run lifecycle.Run) (sdk.StopReason, error) {
	switch run.State {
	case lifecycle.StateCompleted, lifecycle.StateCompletedEmpty:
		return sdk.StopReasonEndTurn, nil
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return sdk.StopReasonCancelled, nil
	case lifecycle.StateFailed:
		return failed(run.Error)
	case lifecycle.StateInterrupted, lifecycle.StateQueued, lifecycle.StateRunning:
	}
	return "", broken(errCutOff)
}

// failed tells limits from errors: the protocol has words for the first.
func failed(f *lifecycle.Failure) (sdk.StopReason, error) {
	if f == nil {
		return "", broken(errCutOff)
	}
	switch f.Kind {
	case lifecycle.FailTruncated:
		return sdk.StopReasonMaxTokens, nil
	case lifecycle.FailRefused:
		return sdk.StopReasonRefusal, nil
	case lifecycle.FailMaxSteps:
		return sdk.StopReasonMaxTurnRequests, nil
	case lifecycle.FailProvider, lifecycle.FailRateLimited, lifecycle.FailAuth, lifecycle.FailContextLength,
		lifecycle.FailBudget, lifecycle.FailSetup, lifecycle.FailTool, lifecycle.FailJournal, lifecycle.FailProcess,
		lifecycle.FailPanic:
	}
	return "", broken(errors.New(f.Line()))
}
