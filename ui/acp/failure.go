package acp

import (
	"errors"
	"fmt"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// JSON-RPC error codes.
const (
	codeNoJSON    = -32700
	codeNoMessage = -32600
	codeNoMethod  = -32601
	codeInvalid   = -32602
	codeInternal  = -32603
	codeNoKey     = -32000 // the protocol's "authentication required"
)

func invalid(format string, values ...any) *sdk.RequestError {
	return &sdk.RequestError{Code: codeInvalid, Message: string(sanitize.Line(sanitize.Ends(fmt.Sprintf(format, values...))))}
}

// NoKey is the error of Options.Open if there is no model to ask. It says in one line which
// variables enable one; editors show it as something to set up.
type NoKey string

func (e NoKey) Error() string { return string(e) }

// unopened is the error of a session that could not be opened.
func unopened(err error) *sdk.RequestError {
	if missing := NoKey(""); errors.As(err, &missing) {
		return &sdk.RequestError{Code: codeNoKey, Message: string(sanitize.Line(missing.Error()))}
	}
	return invalid("%v", err)
}

// broken is the error of a request that failed.
func broken(err error) *sdk.RequestError {
	return &sdk.RequestError{Code: codeInternal, Message: string(sanitize.Line(sanitize.Ends(err.Error())))}
}

// stopReason is the protocol's result for a run of the parent that has ended.
func stopReason(run lifecycle.Run) (sdk.StopReason, error) {
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

// failed distinguishes limits, for which the protocol has stop reasons, from errors.
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
