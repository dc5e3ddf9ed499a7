package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/verify"
)

// A session is verified as it is stored and as it was exported; a copy that somebody
// changed is found out, and what is none is said to be none.
func TestVerifyVouchesForASessionAndFindsAChangedCopyOut(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look"):
			return say("Found it.")
		case len(h.notices()) > 0:
			return say("That is all.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(launch("a look", "look at it"))
	})
	r, errs, code := s.prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	verified := func(args ...string) (out, errs string, code int) {
		return run(t, s.dir, s.env, append([]string{"verify"}, args...)...)
	}
	out, errs, code := verified(r.Session)
	require.Equal(t, 0, code, out+errs)
	require.Regexp(t, `^session \S+: \d+ records, 3 runs: consistent\. A record cannot show: .+\n$`, out)

	file := filepath.Join(s.dir, "session.json")
	_, errs, code = run(t, s.dir, s.env, "export", r.Session, "--format", "json", "-o", file)
	require.Equal(t, 0, code, errs)
	out, errs, code = verified("session.json")
	require.Equal(t, 0, code, out+errs)
	require.Regexp(t, `^session\.json: \d+ records, 3 runs: consistent`, out)

	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := strings.Replace(string(whole), `"event":"consumed","data":{"by":"notification"`, `"event":"consumed","data":{"by":"agent_output"`, 1)
	require.NotEqual(t, string(whole), changed)
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o600))
	out, _, code = verified("session.json")
	require.Equal(t, 1, code)
	require.Contains(t, out, "3 told once · record ")
	require.Contains(t, out, "run A1.1 (")
	out, _, code = verified("session.json", "--json")
	require.Equal(t, 1, code)
	var said struct {
		Kept   bool
		Faults []struct{ Promise verify.Promise }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &said))
	require.False(t, said.Kept)
	require.Equal(t, verify.Promises()[2], said.Faults[0].Promise)

	require.NoError(t, os.WriteFile(file, whole[:len(whole)/2], 0o600))
	_, errs, code = verified("session.json")
	require.Equal(t, 2, code)
	require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	require.Contains(t, errs, "session.json")
}
