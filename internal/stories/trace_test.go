package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// A trace says who started whom, and at which step a parent was told of an end.
func TestASessionIsExportedAsATrace(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look"):
			return say("Found it.")
		case len(h.notices()) > 0:
			return say("I was told.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(launch("a look", "look at it"))
	})
	r, errs, code := s.prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	said, errs, code := run(t, s.dir, s.env, "export", r.Session, "--format", "trace")
	require.Equal(t, 0, code, errs)
	path := filepath.Join(s.dir, export.Name(lifecycle.SessionID(r.Session), formats.Trace))
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
