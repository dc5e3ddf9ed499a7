package stories

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The web is read where it may be, the plan is kept with its session.
func TestThePlanAndThePagesThatAModelReads(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Contains(t, r.Header.Get("User-Agent"), "Pawl/")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>Numbers</h1><p>They <b>add</b> up.</p>`)
	}))
	defer web.Close()
	plan := modeltest.Object{"items": []modeltest.Object{{"text": "read the page", "state": "done"}, {"text": "say what it says", "state": "active"}}}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("fetch") {
			return modeltest.Say("It adds up.")
		}
		return modeltest.Do(modeltest.Use("todo", plan), modeltest.Use("fetch", modeltest.Object{"url": web.URL}))
	})
	fetched := func(args ...string) string {
		r, errs, code := s.Prompted(t, append(args, "-p", "read the page")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "It adds up.", r.Output)
		heards := s.Server.All(modeltest.ParentTold("fetch"))
		h := heards[len(heards)-1]
		require.Equal(t, "1 of 2 done; active: say what it says.", h.ResultsOf("todo")[0])
		return h.ResultsOf("fetch")[0]
	}
	require.Contains(t, fetched(), "127.0.0.1 is not on the open internet", "nobody is asked about that")
	s.With("PAWL_FETCH_ALLOW=127.0.0.1")
	require.Contains(t, fetched(), "Denied: ", "nobody is there to allow it")
	require.Contains(t, fetched("--permission-mode", "bypass"), "# Numbers\n\nThey **add** up.")

	var kept string
	require.NoError(t, openDatabase(t, s).QueryRow(`SELECT value FROM session_facts WHERE name = 'todo' LIMIT 1`).Scan(&kept))
	require.JSONEq(t, `[{"text": "read the page", "state": "done"}, {"text": "say what it says", "state": "active"}]`, kept)
	_, errs, code := harness.Run(t, s.Dir, append(s.Env, "PAWL_FETCH_ALLOW=http://x"), s.Flags("-p", "go")...)
	require.Equal(t, 2, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, `PAWL_FETCH_ALLOW: fetch.allow: "http://x" is not a host name`)
}
