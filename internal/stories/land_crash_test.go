package stories

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/soaktest"
)

// A landing with a commit, killed anywhere, is in the log, in the folder and in git, or in none of
// them; and then it can be landed again.
func TestALandingThatIsKilledAnywhereIsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	for point, landed := range map[string]bool{
		"apply.journal": false, "apply.staged": false, "apply.file": false, "apply.file=kill@2": false, "apply.record": false,
		"landing.applied": false, "landing.committed": false, "store.before.landed": false, "store.inside.landed": false,
		"store.after.landed": true, "landing.recorded": true, "apply.recorded": true, "landing.removed": true,
	} {
		if !soaktest.Wanted() && !slices.Contains([]string{"apply.file=kill@2", "landing.committed", "store.inside.landed", "store.after.landed", "landing.removed"}, point) {
			continue // each takes three seconds; make soak plays all
		}
		t.Run(strings.ReplaceAll(point, "=", " "), func(t *testing.T) {
			t.Parallel()
			s, session, _ := landStory(t)
			head := gitAt(t, s.Dir, "rev-parse", "HEAD")
			act := point
			if !strings.Contains(act, "=") {
				act += "=kill"
			}
			env := append(slices.Clone(s.Env), "FAILPOINTS="+act)
			_, _, code := harness.RunBy(t, path, "", s.Dir, env, "land", session, "--commit")
			require.NotZero(t, code, "it was killed")
			_, errs, code := harness.RunBy(t, path, "", s.Dir, s.Env, "recover")
			require.Zero(t, code, errs)
			if !landed {
				require.Equal(t, head, gitAt(t, s.Dir, "rev-parse", "HEAD"))
				require.Empty(t, gitAt(t, s.Dir, "status", "--porcelain"))
				require.NoFileExists(t, filepath.Join(s.Dir, "sub/new.go"))
				out, errs, code := harness.RunBy(t, path, "", s.Dir, s.Env, "land", session, "--commit")
				require.Zero(t, code, out+errs)
			}
			require.NotEqual(t, head, gitAt(t, s.Dir, "rev-parse", "HEAD"))
			require.Equal(t, "package sub\n", read(t, s.Dir, "sub/new.go"))
			_, errs, code = harness.RunBy(t, path, "", s.Dir, s.Env, "verify", session)
			require.Zero(t, code, errs)
			left, err := filepath.Glob(filepath.Join(filepath.Dir(s.Database()), "files", "*", "journal", "operation.json"))
			require.NoError(t, err)
			require.Empty(t, left)
			entries, err := os.ReadDir(s.Dir)
			require.NoError(t, err)
			for _, entry := range entries {
				require.NotContains(t, entry.Name(), ".tmp")
			}
		})
	}
}

// What a session keeps is the only way back from a landing that was cut off: while that cannot be undone,
// the session is not deleted.
func TestASessionIsNotDeletedWhileItsCutOffLandingCannotBeUndone(t *testing.T) {
	t.Parallel()
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	s, session, _ := landStory(t)
	_, _, code := harness.RunBy(t, path, "", s.Dir, append(slices.Clone(s.Env), "FAILPOINTS=apply.record=kill"), "land", session)
	require.NotZero(t, code, "it was killed")
	moved := s.Dir + "-moved"
	require.NoError(t, os.Rename(s.Dir, moved))
	_, errs, code := harness.Run(t, filepath.Dir(s.Dir), s.Env, "rm", session)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "is not deleted, as only what it keeps can undo that in "+s.Dir)
	harness.RequireOneLine(t, errs)
	require.NoError(t, os.Rename(moved, s.Dir))
	_, errs, code = harness.Run(t, filepath.Dir(s.Dir), s.Env, "rm", session)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "has been undone")
	require.Equal(t, "# Calc\n\nAdds numbers.\n", read(t, s.Dir, "README.md"))
}
