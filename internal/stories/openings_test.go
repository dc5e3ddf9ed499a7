package stories

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestAnExportTellsUnderWhichVersionsAndSettingsASessionWasDriven(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	r, errs, code := s.Prompted(t, "-p", "go")
	require.Equal(t, 0, code, errs)
	first := newestRecord(t, s, r.Session)
	s.Env = append(s.Env, "PAWL_SUBAGENTS_MAX_BACKGROUND=2")
	_, errs, code = s.Prompted(t, "-p", "go on", "--session", r.Session, "--permission-mode", "plan", "--trust")
	require.Equal(t, 0, code, errs)

	text, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var document struct {
		Openings []struct {
			Seq             int
			Pawl            string
			Trusted, Screen bool
			Database        int
			Settings        map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	require.Len(t, document.Openings, 2, "looking at it is none")
	for i, want := range []struct {
		seq     int
		trusted bool
		mode    string
		limit   float64
	}{{1, true, "default", 5}, {first + 1, true, "plan", 2}} {
		o := document.Openings[i]
		require.EqualValues(t, want.seq, o.Seq)
		require.Equal(t, []any{want.trusted, want.mode, want.limit}, []any{o.Trusted, o.Settings["permission_mode"], o.Settings["subagents.max_background"]})
		require.Equal(t, s.Model, o.Settings["model"])
		require.Contains(t, o.Pawl, "go1.")
		require.False(t, o.Screen)
		require.Positive(t, o.Database)
	}
}

// newestRecord is the number of a session's last record.
func newestRecord(t *testing.T, s *harness.Stage, session string) int {
	t.Helper()
	text, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var document struct{ Seq int }
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	return document.Seq
}
