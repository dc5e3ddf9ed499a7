package stories

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// Wherever bytes of the database turn, pawl verify ends with one line that says what is
// wrong, with what it found, or with the verdict on the whole session.
func TestVerifyOfADamagedDatabaseEndsWithAVerdictOrOneLine(t *testing.T) {
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
	sound, errs, code := harness.Run(t, s.Dir, s.Env, "verify", r.Session)
	require.Equal(t, 0, code, sound+errs)
	path := filepath.Join(s.Home, "data", "pawl.db")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	tries := soaktest.Count(t, 40, 2000)
	defer func() { soaktest.Tried(t, tries, "damaged databases given to pawl verify") }()
	ends := map[int]int{}
	for seed := range tries {
		random := rand.New(rand.NewPCG(uint64(seed), 17))
		broken := bytes.Clone(whole)
		for range 1 << random.IntN(6) {
			broken[random.IntN(len(broken))] ^= byte(1 + random.IntN(255))
		}
		for _, beside := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + beside)
		}
		require.NoError(t, os.WriteFile(path, broken, 0o600))
		out, errs, code := harness.Run(t, s.Dir, s.Env, "verify", r.Session)
		ends[code]++
		require.NotContains(t, out+errs, "panic", "seed %d", seed)
		require.NotContains(t, out+errs, "goroutine ", "seed %d", seed)
		switch {
		case code == 0:
			require.Equal(t, sound, out, "seed %d", seed)
		case out != "":
			require.Regexp(t, `^session \S+: .* faults?\n`, out, "seed %d: %s", seed, errs)
		default:
			require.Equal(t, 1, strings.Count(errs, "\n"), "seed %d, exit code %d: %s", seed, code, errs)
		}
	}
	t.Logf("%d databases of %d bytes: exit codes %v", tries, len(whole), ends)
	require.Greater(t, len(ends), 1, "some are damaged where it matters, some are not")
	require.NoError(t, os.WriteFile(path, whole, 0o600))
}
