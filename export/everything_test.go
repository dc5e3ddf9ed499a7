package export

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

// The session in which all happens says everything, and is written in every way there is.
func TestASessionWithEverythingHasEverything(t *testing.T) {
	s := exporttest.Everything(t)
	had := map[string]bool{}
	for _, rec := range s.Records {
		had[lifecycle.Name(rec.Event)] = true
		switch e := rec.Event.(type) {
		case lifecycle.Warned:
			had[string(e.Kind)] = true
		case lifecycle.Ended:
			had[string(e.Cause)] = true
			had["worktree"] = had["worktree"] || e.Worktree != nil
			if e.Error != nil {
				had[string(e.Error.Kind)] = true
			}
		case lifecycle.ToolEnded:
			had["wrote"] = had["wrote"] || e.Wrote != ""
		case lifecycle.Consumed:
			had[string(e.By)] = true
		case lifecycle.Spawned:
			had["by "+string(e.Trigger)] = true
		default:
		}
	}
	for _, run := range s.Runs {
		had[string(run.State)] = true
	}
	want := lifecycle.EventNames()
	for _, state := range lifecycle.States() {
		want = append(want, string(state))
	}
	want = append(want, "budget", "write_overlap", "silence", "slow_stop", "left_behind", "hook", "worker_lost",
		"key", "agents_stop", "agent_stop", "run_end", "process_end",
		"rate_limited", "process", "provider", "auth", "truncated", "max_steps", "budget",
		"tool_result", "agent_output", "agent_stop", "notification",
		"by user", "by agent", "by message", "by notification", "by continue", "by compact", "worktree", "wrote")
	for _, one := range want {
		require.True(t, had[one], "the session has no %s", one)
	}
}

// ways are those in which the session with everything is written down, each a file
// under testdata. A new one is a line here.
var ways = map[string]formats.Options{
	"everything.json":      {Format: formats.JSON},
	"everything.md":        {Format: formats.Markdown},
	"everything.html":      {Format: formats.HTML},
	"everything.bare.json": {Format: formats.JSON, NoContent: true},
}

func TestASessionWithEverythingIsWrittenInEveryWay(t *testing.T) {
	s := exporttest.Everything(t)
	for name, as := range ways {
		t.Run(name, func(t *testing.T) {
			out := printedAs(s, as, s.Upto())
			exporttest.Golden(t, name, out)
			require.NotContains(t, string(out), "hunter2")
			require.NotContains(t, string(out), "correct horse")
			if as.Format == formats.JSON {
				require.Empty(t, exporttest.Violations(exporttest.Parse(t, []byte(jsondoc.Schema)), exporttest.Parse(t, out)))
			}
		})
	}
}
