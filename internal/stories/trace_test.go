package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A trace says who started whom, and at which step a parent was told of an end.
func TestASessionIsExportedAsATrace(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found it.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I was told.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	said, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "trace")
	require.Equal(t, 0, code, errs)
	path := filepath.Join(s.Dir, "pawl-"+r.Session+".trace.json")
	require.Equal(t, path+"\n", said)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var trace struct {
		Events []struct {
			Name    string `json:"name"`
			Phase   string `json:"ph"`
			Process int    `json:"pid"`
			Arrow   int    `json:"id"`
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(text, &trace))
	ends := map[string][]int{} // of arrows: in which processes they are
	for _, e := range trace.Events {
		if e.Arrow > 0 {
			ends[e.Name] = append(ends[e.Name], e.Process)
		}
	}
	require.Equal(t, map[string][]int{"starts": {1, 2}, "tells": {2, 1}}, ends)
	require.Contains(t, string(text), "delivered the end of · A1.1")
}
