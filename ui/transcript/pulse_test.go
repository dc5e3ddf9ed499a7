package transcript

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func TestAPulseIsWhatARunDidInTheLastTenStretchesOfSixSeconds(t *testing.T) {
	p := &Pulse{}
	require.Empty(t, p.Levels(noon, 8), "nothing is known of it")
	p.beat(noon, actWeight)
	p.report(lifecycle.Progress{Step: 1, OutputTokens: 1200, At: noon.Add(6 * time.Second)})
	p.report(lifecycle.Progress{Step: 1, OutputTokens: 1216, At: noon.Add(13 * time.Second)})
	require.Equal(t, []int{0, 0, 0, 0, 0, 0, 1, 8, 2, 0}, p.Levels(noon.Add(18*time.Second), 8), "only what is new of a step's tokens counts")
	require.Equal(t, []int{1, 8, 2, 0, 0, 0, 0, 0, 0, 0}, p.Levels(noon.Add(54*time.Second), 8))
	require.Equal(t, []int{8, 2, 0, 0, 0, 0, 0, 0, 0, 0}, p.Levels(noon.Add(60*time.Second), 8))
	require.Equal(t, make([]int, pulseCells), p.Levels(noon.Add(time.Hour), 8), "a silence of an hour")
	p.beat(noon.Add(time.Minute), actWeight)
	require.Equal(t, make([]int, pulseCells), p.Levels(noon.Add(time.Hour+time.Second), 8), "what comes too late is none of the last minute")
}

func TestAPulseChangesOnceASecondAtMost(t *testing.T) {
	p := &Pulse{}
	p.beat(noon, actWeight)
	before := p.Levels(noon, 8)
	p.beat(noon.Add(time.Millisecond), 5000)
	require.Equal(t, before, p.Levels(noon.Add(999*time.Millisecond), 8))
	require.Equal(t, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 8}, p.Levels(noon.Add(time.Second), 8))
}

func TestAPulseIsKeptForARunAtWorkOnly(t *testing.T) {
	r := NewRuns(lifecycle.Snapshot{Root: "root"})
	var seq lifecycle.Seq
	log := func(run lifecycle.RunID, session lifecycle.SessionID, events ...lifecycle.Event) {
		for _, event := range events {
			seq++
			require.NoError(t, r.Apply(lifecycle.Record{Seq: seq, Time: noon, Root: "root", Session: session, Run: run, Event: event}))
		}
	}
	for i := range 3 {
		run := lifecycle.RunID(fmt.Sprint("run ", i))
		log(run, "dig", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Trigger: lifecycle.TriggerAgent}})
		require.Empty(t, r.Pulses, "it waits for a slot")
		log(run, "dig", lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
		require.Len(t, r.Pulses, 1)
		log(run, "dig", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
		require.Empty(t, r.Pulses)
	}
}
