package headless

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestWhatWasDeniedIsNamedOnceWithItsCount(t *testing.T) {
	l := ended(t, lifecycle.StateRunning, lifecycle.StateRunning)
	seq := lifecycle.Seq(100)
	deny := func(session lifecycle.SessionID, run lifecycle.RunID, subject string, by lifecycle.Decider, reason string) {
		seq++
		_, err := l.fold(lifecycle.Updates{Records: []lifecycle.Record{{
			Seq: seq, Root: "root", Session: session, Run: run,
			Event: lifecycle.PermissionDenied{Tool: "shell", Subject: subject, By: by, Reason: reason},
		}}})
		require.NoError(t, err)
	}
	deny("a", "a", "touch x\n\x1b[2Jy", "nobody", "nobody is there to ask")
	deny("a", "a", "touch x\n\x1b[2Jy", "nobody", "nobody is there to ask")
	deny("root", "r", "rm x", "rule", "the user's rule shell(rm *) denies it")
	a := conclude(l, 0)
	require.Len(t, a.Denials, 1)
	require.Len(t, a.Subagents[0].Denials, 2)
	var out, errs strings.Builder
	require.NoError(t, a.writeText(&out, &errs))
	require.Contains(t, errs.String(), `, 2 times: nobody was there to ask: a rule or a mode can allow it`+"\n")
	require.Contains(t, errs.String(), `pawl: the agent was denied shell "rm x": the user's rule shell(rm *) denies it`+"\n")
	require.NotContains(t, errs.String(), "\x1b")
	encoded, err := json.Marshal(a)
	require.NoError(t, err)
	require.Contains(t, string(encoded), `"denials":[{"call":"","tool":"shell","subject":"rm x","by":"rule"`)
}
