package served

import (
	"pawl/internal/hosted"
	"pawl/lifecycle"
)

// advise says what the other tool's model can do next.
func (v *view) advise(one started) {
	short := hosted.ShortID(one.id)
	switch lifecycle.State(v.Status) {
	case lifecycle.StateQueued, lifecycle.StateRunning:
		v.Message = "It goes on by itself. Call output with wait_ms when you need its result; do not start the same work again."
	case lifecycle.StateCompleted:
		v.Message = "It has ended. To ask it something further, use send."
	case lifecycle.StateCompletedEmpty:
		v.Message = "It ended without an answer, which is no success: ask with send what it has found, or do the work another way."
	case lifecycle.StateFailed:
		v.Message = "It failed; what it had changed stands. " + afterFailure(v.Error)
	case lifecycle.StateCanceledByUser:
		v.Message = "A person stopped it, or stop did: use what there is, and do not start it again unless asked to. send lets it go on."
	case lifecycle.StateCanceledByAgent:
		v.Message = "It was stopped. send lets it go on."
	case lifecycle.StateInterrupted:
		v.Message = "Its process ended before it was done: do not assume that it finished. send goes on with it; ask the user first."
	case unreachable:
		v.Message = "It is open, and its process does not answer: call output again later; do not start the same work again. If it stays so, tell the user."
	default:
		v.Message = "A person has to answer this in Pawl (pawl attach " + short + ", or pawl answer " + short + "); you cannot, and send is no answer. Tell the user, and go on with what does not need it."
	}
	if v.Denied > 0 {
		v.Message += " Some of its calls were denied, because nobody allowed them: pawl attach " + short + " shows which."
	}
}

// afterFailure says whether it may be tried again.
func afterFailure(failure *lifecycle.Failure) string {
	if failure == nil {
		return "send goes on with it."
	}
	switch failure.Kind {
	case lifecycle.FailAuth, lifecycle.FailSetup, lifecycle.FailJournal:
		return "Trying again does not help until the user has mended what the error names: tell them."
	case lifecycle.FailBudget:
		return "Going on spends more than the user set aside: do not, unless asked to."
	case lifecycle.FailRefused:
		return "The model declined: do not repeat the same request."
	case lifecycle.FailProvider, lifecycle.FailRateLimited:
		return "Pawl has already retried: do not try again at once; later send goes on with it."
	case lifecycle.FailContextLength, lifecycle.FailTruncated, lifecycle.FailMaxSteps:
		return "Use what there is, and give what is left to new sessions in smaller parts."
	case lifecycle.FailTool, lifecycle.FailProcess, lifecycle.FailPanic:
	}
	return "It may be tried once more with send."
}
