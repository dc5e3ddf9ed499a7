package stories

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// page is a JSON export, as far as the stories read it.
type page struct {
	Sessions []struct {
		Transcript []struct {
			Parts []struct {
				Type     string
				Name     string
				Metadata struct {
					Run json.RawMessage `json:"subagent_run"`
				}
			}
		}
	}
	Records []struct{ Event, Run string }
}

// exportedRun is a run in it.
type exportedRun struct {
	Description string
	Model       string
	EffortSent  string `json:"effort_sent"`
	Fallback    string
	Usage       struct {
		Cost float64 `json:"cost_usd"`
	}
	State     string
	Cause     string
	Partial   string
	Error     *struct{ Kind, Message string }
	Warnings  []struct{ Kind string }
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Consumed  *struct{ By string }
}

// exportOf is a session's JSON export; without one, the last session's. Whoever has the file
// can write it again as it was.
func exportOf(t *testing.T, s *harness.Stage, session string) string {
	t.Helper()
	if session == "" {
		list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
		require.Equal(t, 0, code, errs)
		session = strings.Fields(list)[0]
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	again, errs, code := harness.RunWith(t, out, s.Dir, s.Env, "import", "-", "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, out, again)
	return out
}

// exportedPage is that, read.
func exportedPage(t *testing.T, s *harness.Stage, session string) page {
	t.Helper()
	var p page
	require.NoError(t, json.Unmarshal([]byte(exportOf(t, s, session)), &p))
	return p
}

// delegated lists the runs on the agent calls of a page, by their descriptions.
func (p page) delegated(t *testing.T) map[string]exportedRun {
	t.Helper()
	runs := map[string]exportedRun{}
	for _, m := range p.Sessions[0].Transcript {
		for _, part := range m.Parts {
			if part.Type != "tool_call" || part.Name != "agent" || len(part.Metadata.Run) == 0 {
				continue
			}
			var run exportedRun
			require.NoError(t, json.Unmarshal(part.Metadata.Run, &run))
			runs[run.Description] = run
		}
	}
	return runs
}
