package lifecycle

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerdict(t *testing.T) {
	stop := func(c Cause) error { return &Stopped{Cause: c, Reason: "why"} }
	failure := &Failure{Kind: FailProvider, Message: "down"}
	for name, row := range map[string]struct {
		cause   error
		out     Outcome
		partial string
		want    Ended
	}{
		"it finished":                       {nil, Outcome{Text: "done"}, "", Ended{State: StateCompleted, Result: "done"}},
		"it finished without text":          {nil, Outcome{Text: " \n"}, "part", Ended{State: StateCompletedEmpty, Partial: "part"}},
		"it finished before the stop":       {stop(CauseKey), Outcome{Text: "done"}, "", Ended{State: StateCompleted, Result: "done"}},
		"a key stopped it":                  {stop(CauseKey), Outcome{Err: context.Canceled}, "part", Ended{State: StateCanceledByUser, Cause: CauseKey, Reason: "why", Partial: "part"}},
		"its parent's model stopped it":     {stop(CauseAgentStop), Outcome{Err: context.Canceled}, "", Ended{State: StateCanceledByAgent, Cause: CauseAgentStop, Reason: "why"}},
		"the process ends":                  {stop(CauseProcessEnd), Outcome{Err: context.Canceled}, "part", Ended{State: StateInterrupted, Cause: CauseProcessEnd, Reason: "why", Partial: "part"}},
		"cancelled without a cause":         {context.Canceled, Outcome{Err: context.Canceled}, "", Ended{State: StateInterrupted, Cause: CauseProcessEnd}},
		"it failed":                         {nil, Outcome{Err: failure}, "part", Ended{State: StateFailed, Error: failure, Partial: "part"}},
		"it failed in a way of its own":     {nil, Outcome{Err: errors.New("odd")}, "", Ended{State: StateFailed, Error: &Failure{Kind: FailTool, Message: "odd"}}},
		"its worker is lost":                {nil, Outcome{Err: &Stopped{Cause: CauseWorkerLost, Reason: "why"}}, "part", Ended{State: StateInterrupted, Cause: CauseWorkerLost, Reason: "why", Partial: "part"}},
		"it was stopped and then lost":      {stop(CauseKey), Outcome{Err: &Stopped{Cause: CauseWorkerLost}}, "part", Ended{State: StateCanceledByUser, Cause: CauseKey, Reason: "why", Partial: "part"}},
		"a panic is told also when stopped": {stop(CauseKey), Outcome{Err: &Failure{Kind: FailPanic}}, "", Ended{State: StateFailed, Error: &Failure{Kind: FailPanic}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.want, verdict(row.cause, row.out, row.partial)) })
	}
}

func TestEveryCauseLeadsToItsState(t *testing.T) {
	for cause, want := range map[Cause]State{
		CauseKey: StateCanceledByUser, CauseSIGINT: StateCanceledByUser, CauseCommand: StateCanceledByUser,
		CauseQuit: StateCanceledByUser, CauseAgentsStop: StateCanceledByUser, CauseDrainTimeout: StateCanceledByUser,
		CauseAgentStop: StateCanceledByAgent, CauseProcessEnd: StateInterrupted, CauseWorkerLost: StateInterrupted,
	} {
		require.Equal(t, want, cause.State(), cause)
	}
}
