package lifecycle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheActivitySaysWhatARunDoesOrWhatEndedIt(t *testing.T) {
	spawned := Spawned{Spec{Root: "root", Parent: "root"}}
	for want, events := range map[string][]Event{
		"waiting for a slot":                    {spawned},
		"waiting for the model":                 {spawned, Started{}},
		"waiting for you: shell ls":             {spawned, Started{}, PermissionAsked{Question{Tool: "shell", Subject: "ls"}}},
		"read a.go":                             {spawned, Started{}, ToolStarted{Tool: "read", Label: "a.go"}},
		"read a.go (+1)":                        {spawned, Started{}, ToolStarted{Call: "1", Tool: "grep"}, ToolStarted{Call: "2", Tool: "read", Label: "a.go"}},
		"rate limited":                          {spawned, Started{}, Waiting{Why: "rate limited"}},
		"the last line":                         {spawned, Started{}, StepStarted{1}, Text{"some\nthe last line"}},
		"stopping":                              {spawned, Started{}, ToolStarted{Tool: "shell"}, StopRequested{Cause: CauseKey}},
		"done":                                  {spawned, Started{}, Ended{State: StateCompleted, Result: "done\nand more"}},
		"ended without an answer":               {spawned, Started{}, Ended{State: StateCompletedEmpty}},
		"model server: the server is down":      {spawned, Started{}, Ended{State: StateFailed, Error: &Failure{Kind: FailProvider, Message: "the server is down"}}},
		"stopped by you":                        {spawned, Ended{State: StateCanceledByUser, Cause: CauseKey}},
		"stopped by the main agent":             {spawned, Ended{State: StateCanceledByAgent, Cause: CauseAgentStop}},
		"interrupted when Pawl's process ended": {spawned, Ended{State: StateInterrupted, Cause: CauseProcessEnd, Found: true}},
		"stopped by --drain-timeout":            {spawned, Ended{State: StateCanceledByUser, Cause: CauseDrainTimeout}},
		"interrupted when its worker was lost":  {spawned, Started{}, Ended{State: StateInterrupted, Cause: CauseWorkerLost}},
		"stopped by --agents stop":              {spawned, Ended{State: StateCanceledByUser, Cause: CauseAgentsStop}},
	} {
		require.Equal(t, want, runOf(t, events...).Activity(Progress{}, time.Unix(5, 0)))
	}
}

// A run is quiet for a reason, and from ten seconds on its activity says for how
// long.
func TestAQuietRunSaysWhyAndForHowLong(t *testing.T) {
	begun := []Event{Spawned{Spec{Root: "root", Parent: "root"}}, Started{}, StepStarted{1}}
	shell := []Event{Spawned{Spec{Root: "root", Parent: "root", Kind: KindShell, Command: "npm test"}}, Started{}}
	npm := append(begun[:3:3], ToolStarted{Tool: "shell", Label: "npm test"})
	limited := append(begun[:3:3], Waiting{Why: "rate limited; asking again in 20s", For: 20 * time.Second})
	for name, c := range map[string]struct {
		events []Event
		p      Progress
		after  time.Duration
		want   string
	}{
		"the model is not late yet":         {begun, Progress{}, 9 * time.Second, "waiting for the model"},
		"the model is late":                 {begun, Progress{}, 38 * time.Second, "waiting for the model 38s"},
		"a stream that stands still":        {begun, Progress{Step: 1, Text: "half a"}, 38 * time.Second, "waiting for the model 38s"},
		"what others say is no life":        {append(begun[:3:3], MessageQueued{Message{ID: "m", Text: "?"}}), Progress{}, 38 * time.Second, "waiting for the model 39s"},
		"a bullet that has just begun":      {begun, Progress{Step: 1, Text: "two things:\n\n- "}, time.Second, "two things:"},
		"a bullet and nothing before":       {begun, Progress{Step: 1, Text: "- "}, time.Second, "writing"},
		"a call that is being written":      {begun, Progress{Step: 1, Activity: "writing a call of edit"}, 38 * time.Second, "writing a call of edit"},
		"progress of an earlier step":       {begun, Progress{Step: 9, Text: "old"}, time.Second, "waiting for the model"},
		"a tool at work":                    {npm, Progress{Step: 1, Activity: "ok"}, 9 * time.Second, "shell npm test · ok"},
		"a tool that is silent":             {npm, Progress{}, 250 * time.Second, "shell npm test silent 4m10s"},
		"a tool that fell silent":           {npm, Progress{Step: 1, Activity: "ok"}, 250 * time.Second, "shell npm test silent 4m10s"},
		"a silence of hours":                {npm, Progress{}, 2*time.Hour + 5*time.Minute, "shell npm test silent 2h05m"},
		"a retry to come":                   {limited, Progress{}, 8 * time.Second, "rate limited, again in 12s"},
		"a retry under way":                 {limited, Progress{}, 21 * time.Second, "rate limited, asked again"},
		"a retry that is late":              {limited, Progress{}, 50 * time.Second, "rate limited, asked again 30s ago"},
		"a wait of unknown length":          {append(begun[:3:3], Waiting{Why: "the stream is silent"}), Progress{}, 15 * time.Second, "the stream is silent 15s"},
		"a command before its first line":   {shell, Progress{}, 9 * time.Second, "no output yet"},
		"a command that is silent":          {shell, Progress{}, 250 * time.Second, "silent 4m10s"},
		"a command that has fallen silent":  {shell, Progress{Activity: "listening"}, 250 * time.Second, "listening · silent 4m10s"},
		"a command that goes on and writes": {shell, Progress{Activity: "GET /"}, time.Second, "GET /"},
	} {
		t.Run(name, func(t *testing.T) {
			run := runOf(t, c.events...)
			last := time.Unix(int64(len(c.events)), 0) // of the last record
			if c.p.Activity+c.p.Text != "" {
				c.p.At = last
			}
			require.Equal(t, c.want, run.Activity(c.p, last.Add(c.after)))
		})
	}
}
