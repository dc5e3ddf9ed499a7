package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Who gets a session as a file reads it as its owner does: it is written again byte by
// byte, and as a page it is the page of the session. No database is needed for it.
func TestAnExportedSessionIsImportedAsItWas(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found the café <b>it</b>\u202e.")
		case h.Answered("agent"):
			return modeltest.Say("That is all.")
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "-o", "run.json")
	require.Equal(t, 0, code, errs)
	file, err := os.ReadFile(filepath.Join(s.Dir, "run.json"))
	require.NoError(t, err)

	elsewhere := append(s.Env, "PAWL_HOME="+t.TempDir(), "OTHER_API_KEY=a-key-of-another-person")
	same, errs, code := harness.Run(t, s.Dir, elsewhere, "import", "run.json", "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, string(file), same)
	shown, errs, code := harness.Run(t, s.Dir, s.Env, "show", r.Session)
	require.Equal(t, 0, code, errs)
	page, errs, code := harness.RunWith(t, same, s.Dir, elsewhere, "import", "-", "--format", "md", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, shown, page)
}
