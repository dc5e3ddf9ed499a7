package headless

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

func TestAResultOfAnotherProcessIsPrintedAsOnesOwn(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	root := lifecycle.Run{Spec: lifecycle.Spec{Root: "root"}, ID: "p1", Session: "root", State: lifecycle.StateCompleted, Result: "<done> & well", SpawnedAt: at, EndedAt: at.Add(time.Second)}
	child := lifecycle.Run{
		Spec: lifecycle.Spec{Root: "root", Parent: "root", Description: "a look"}, ID: "c1", Session: "a", State: lifecycle.StateFailed,
		Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "no"}, SpawnedAt: at.Add(time.Millisecond), EndedAt: at.Add(time.Second),
	}
	recorded, ok := Recorded(lifecycle.Snapshot{Root: "root", Runs: []lifecycle.Run{root, child}}, mask.Mask{}, true)
	require.True(t, ok)
	var line bytes.Buffer
	require.NoError(t, recorded.WriteLine(&line))
	read, err := ReadResult(line.Bytes())
	require.NoError(t, err)
	require.Equal(t, ExitSubagent, read.Code())
	var own, others bytes.Buffer
	require.NoError(t, (mask.Mask{}).Encode(&own, recorded.answer))
	require.NoError(t, read.WriteJSON(&others))
	require.Equal(t, own.String(), others.String())
	for _, r := range []Result{recorded, read} {
		var out, errs bytes.Buffer
		require.NoError(t, r.WriteText(&out, &errs))
		require.Equal(t, "<done> & well\n", out.String())
		require.Contains(t, errs.String(), `subagent "a look" failed`)
	}
}

func TestNothingIsRecordedOfASessionThatIsAtWorkOrWasAskedNothing(t *testing.T) {
	_, ok := Recorded(lifecycle.Snapshot{Root: "root"}, mask.Mask{}, false)
	require.False(t, ok)
	_, ok = Recorded(lifecycle.Snapshot{Root: "root", Runs: []lifecycle.Run{{Spec: lifecycle.Spec{Root: "root"}, ID: "p1", Session: "root", State: lifecycle.StateRunning}}}, mask.Mask{}, false)
	require.False(t, ok)
	_, err := ReadResult([]byte("{"))
	require.Error(t, err)
}
