package stories

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestDeletingASessionLeavesNoneOfItsFacts(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	t.Parallel()
	r, errs, code := s.Prompted(t, "-p", "are you there?")
	require.Equal(t, 0, code, errs)
	db := openDatabase(t, s)
	for _, fact := range [][]any{
		{`INSERT INTO facts (name, value) VALUES (?, ?)`, "drafts:" + r.Session, `{"a subagent":"half a thought of mine"}`},
		{`INSERT INTO facts (name, value) VALUES (?, ?)`, "seen:" + r.Session, `{"a subagent":{}}`},
		{`INSERT OR REPLACE INTO facts (name, value) VALUES ('last_model', ?)`, "anthropic/another"},
		{`INSERT OR REPLACE INTO session_facts (session, name, value) VALUES (?, 'model', ?)`, r.Session, "anthropic/chosen-for-it"},
		{`INSERT OR REPLACE INTO session_facts (session, name, value) VALUES (?, 'todo', ?)`, r.Session, "something to do"},
	} {
		_, err := db.ExecContext(t.Context(), fact[0].(string), fact[1:]...)
		require.NoError(t, err)
	}
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
