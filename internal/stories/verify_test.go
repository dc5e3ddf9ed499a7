package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A session is verified as it is stored and as it was exported; a copy that somebody
// changed is found out, and what is none is said to be none.
func TestVerifyVouchesForASessionAndFindsAChangedCopyOut(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found it.")
		case len(h.Notices()) > 0:
			return modeltest.Say("That is all.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	verify := func(args ...string) (out, errs string, code int) {
		return harness.Run(t, s.Dir, s.Env, append([]string{"verify"}, args...)...)
	}
	out, errs, code := verify(r.Session)
	require.Equal(t, 0, code, out+errs)
	require.Regexp(t, `^session \S+: \d+ records, 3 runs: consistent\. A record cannot show: .+\n$`, out)

	file := filepath.Join(s.Dir, "session.json")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", file)
	require.Equal(t, 0, code, errs)
	out, errs, code = verify("session.json")
	require.Equal(t, 0, code, out+errs)
	require.Regexp(t, `^session\.json: \d+ records, 3 runs: consistent`, out)

	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := strings.Replace(string(whole), `"event":"consumed","data":{"by":"notification"`, `"event":"consumed","data":{"by":"agent_output"`, 1)
	require.NotEqual(t, string(whole), changed)
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o600))
	out, _, code = verify("session.json")
	require.Equal(t, 1, code)
	require.Contains(t, out, "3 told once · record ")
	require.Contains(t, out, "run A1.1 (")
	out, _, code = verify("session.json", "--json")
	require.Equal(t, 1, code)
	var said struct {
		Kept   bool
		Faults []struct {
			Promise struct {
				Number int
				Name   string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &said))
	require.False(t, said.Kept)
	require.Equal(t, 3, said.Faults[0].Promise.Number)
	require.Equal(t, "told once", said.Faults[0].Promise.Name)

	require.NoError(t, os.WriteFile(file, whole[:len(whole)/2], 0o600))
	_, errs, code = verify("session.json")
	require.Equal(t, 2, code)
	require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	require.Contains(t, errs, "session.json")
}
