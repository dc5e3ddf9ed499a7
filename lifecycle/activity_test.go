package lifecycle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheActivitySaysWhatARunDoesOrWhatEndedIt(t *testing.T) {
	spawned := Spawned{Spec{Root: "root", Parent: "root"}}
	for want, events := range map[string][]Event{
		"waiting for a slot":             {spawned},
		"waiting for the model":          {spawned, Started{}},
		"waiting for you: shell ls":      {spawned, Started{}, PermissionAsked{Question{Tool: "shell", Subject: "ls"}}},
		"read a.go":                      {spawned, Started{}, ToolStarted{Tool: "read", Label: "a.go"}},
		"read a.go (+1)":                 {spawned, Started{}, ToolStarted{Call: "1", Tool: "grep"}, ToolStarted{Call: "2", Tool: "read", Label: "a.go"}},
		"rate limited":                   {spawned, Started{}, Waiting{Why: "rate limited"}},
		"the last line":                  {spawned, Started{}, StepStarted{1}, Text{"some\nthe last line"}},
		"stopping":                       {spawned, Started{}, ToolStarted{Tool: "shell"}, StopRequested{Cause: CauseKey}},
		"done":                           {spawned, Started{}, Ended{State: StateCompleted, Result: "done\nand more"}},
		"ended without an answer":        {spawned, Started{}, Ended{State: StateCompletedEmpty}},
		"provider: the server is down":   {spawned, Started{}, Ended{State: StateFailed, Error: &Failure{Kind: FailProvider, Message: "the server is down"}}},
		"stopped by you (key)":           {spawned, Ended{State: StateCanceledByUser, Cause: CauseKey}},
		"stopped by the parent agent":    {spawned, Ended{State: StateCanceledByAgent, Cause: CauseAgentStop}},
		"cut off when its process ended": {spawned, Ended{State: StateInterrupted, Cause: CauseProcessEnd, Found: true}},
		"stopped: the time for background work ran out": {spawned, Ended{State: StateCanceledByUser, Cause: CauseDrainTimeout}},
		"stopped at the end, as asked (agents_stop)":    {spawned, Ended{State: StateCanceledByUser, Cause: CauseAgentsStop}},
	} {
		require.Equal(t, want, runOf(t, events...).Activity(Progress{}, time.Unix(5, 0)))
	}
}
