package crash

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Killed at any record of a command of the user's own, Pawl has run it at most once; afterwards it has
// ended, and its session's model has been told of it, once.
func TestKilledAtAnyRecordACommandOfTheUsersIsCutOffAndToldOnce(t *testing.T) {
	t.Parallel()
	var rows []crashPoint
	for _, one := range []crash{
		{record: "spawned", nth: 1},
		{record: "started", nth: 1},
		{record: "ended", nth: 1},
		{record: "notification_queued", nth: 1},
		{record: "spawned", nth: 2},
		{record: "notification_delivered", nth: 1},
		{record: "consumed", nth: 1},
	} {
		for _, side := range sides {
			rows = append(rows, crashPoint{one, side})
		}
	}
	together(t, rows, crashPoint.String, func(t *testing.T, c crashPoint) {
		w := newCrashCase(t, func(h modeltest.Request) modeltest.Reply {
			if h.Answered("shell") {
				return modeltest.Say("I have read it.")
			}
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "until [ -s ran.txt ]; do sleep 0.02; done; sleep 0.2"}))
		})
		cmd, _, errs := w.prompt(c.at(c.side), "-p", "--permission-mode", "bypass", "--input-format", "stream-json", "--output-format", "stream-json")
		cmd.Stdin = strings.NewReader(`{"type":"shell","command":"echo ran >> ran.txt"}` + "\n" + `{"type":"message","text":"what was it?"}` + "\n")
		cmd.Stdout = new(bytes.Buffer)
		require.NoError(t, cmd.Start())
		_ = w.await(cmd)
		require.True(t, wasKilled(cmd), errs)
		w.gone()
		w.returns()
		doc := w.inspect()
		ran, err := os.ReadFile(filepath.Join(w.Dir, "ran.txt"))
		require.True(t, err == nil || os.IsNotExist(err), err)
		require.LessOrEqual(t, strings.Count(string(ran), "ran"), 1, "it is never run again")
		at := slices.IndexFunc(doc.Runs, func(r exportedRun) bool { return r.Description == "echo ran >> ran.txt" })
		if at < 0 {
			require.Contains(t, []string{"before.spawned@1", "inside.spawned@1", "before.started@1", "inside.started@1"}, fmt.Sprint(c))
			require.Empty(t, ran)
			return
		}
		require.True(t, doc.Runs[at].terminal())
		require.NotNil(t, doc.Runs[at].Consumed, "its model has been told")
	})
}
