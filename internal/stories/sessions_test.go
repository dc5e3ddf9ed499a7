package stories

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/lifecycle"
	"pawl/store"
)

func TestDeletingASessionLeavesNoneOfItsFacts(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	t.Setenv("PAWL_HOME", s.Home)
	r, errs, code := s.Prompted(t, "-p", "are you there?")
	require.Equal(t, 0, code, errs)
	root := lifecycle.SessionID(r.Session)
	db, err := store.Open(t.Context(), s.Database(), store.Options{})
	require.NoError(t, err)
	require.NoError(t, db.SetFact(t.Context(), "drafts:"+r.Session, `{"a subagent":"half a thought of mine"}`))
	require.NoError(t, db.SetFact(t.Context(), "seen:"+r.Session, `{"a subagent":{}}`))
	require.NoError(t, db.ChooseModel(t.Context(), root, "anthropic/chosen-for-it"))
	require.NoError(t, db.SetSessionFact(t.Context(), root, store.FactTodo, "something to do"))
	require.NoError(t, db.SetFact(t.Context(), "last_model", "anthropic/another"))
	require.NoError(t, db.Close())
	traces := []string{r.Session, "half a thought of mine", "chosen-for-it", "something to do"}
	before := readAll(t, s.Database())
	for _, trace := range traces {
		require.Contains(t, before, trace)
	}

	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code, errs)
	after := readAll(t, s.Database())
	for _, trace := range traces {
		require.NotContains(t, after, trace)
	}
}

func TestThatThereIsNoSessionIsNoFailure(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	listed := func() string {
		var out, errs strings.Builder
		require.Zero(t, cli.Execute(t.Context(), []string{"sessions"}, base.World{Out: &out, Err: &errs, Folder: t.TempDir()}), errs.String())
		return out.String()
	}
	require.Equal(t, "No sessions yet: start one with pawl.\n", listed())
	db, err := store.Open(t.Context(), settings.FindFolders().Database(), store.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.Equal(t, "No sessions in this folder; pawl sessions --all lists those of other folders.\n", listed())
}

// readAll is a database as it stands on the disk, with what is not folded into it yet.
func readAll(t *testing.T, path string) string {
	t.Helper()
	var all bytes.Buffer
	for _, name := range []string{path, path + "-wal"} {
		text, _ := os.ReadFile(name) // there may be no second one
		all.Write(text)
	}
	return all.String()
}
