package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// changer is a script in which a file is made and changed twice, by the parent or by a subagent in a
// process of its own.
func changer(inProcess bool) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		step := 1
		for _, m := range h.Messages {
			if m.Role == "assistant" {
				step++
			}
		}
		switch {
		case inProcess && h.Parent() && step == 1:
			return modeltest.Do(modeltest.Use("task", modeltest.Object{"prompt": "write it"}))
		case inProcess && h.Parent():
			return modeltest.Say("It is gone.")
		case step <= 3:
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "notes.txt", "content": fmt.Sprintf("text %d\n", step)}))
		}
		return modeltest.Say("All is written.")
	}
}

// changesOf are what the log says of changes, in order.
func changesOf(doc document) (after []string) {
	for _, rec := range doc.Records {
		for _, file := range rec.Data.Files {
			after = append(after, file.Path+" "+file.After.Hash[:8])
		}
	}
	return after
}

// firstWritten and secondWritten are what changer writes first, as changesOf says it.
const (
	firstWritten  = "notes.txt a487c4db"
	secondWritten = "notes.txt 520aa506"
)

// held is what the file holds.
func (w *crashCase) held() string {
	data, err := os.ReadFile(filepath.Join(w.Dir, "notes.txt"))
	if err != nil {
		return ""
	}
	return string(data)
}

func TestKilledAnywhereInAChangeOfAFileTheLogSaysWhatWasChanged(t *testing.T) {
	t.Parallel()
	for point, want := range map[string]struct {
		held    string
		changes []string
	}{
		"change.announced=kill@2":           {"text 1\n", []string{firstWritten}},
		"change.made=kill@2":                {"text 2\n", []string{firstWritten, secondWritten}},
		"store.before.files_changed=kill@2": {"text 2\n", []string{firstWritten, secondWritten}},
		"store.inside.files_changed=kill@2": {"text 2\n", []string{firstWritten, secondWritten}},
		"store.after.files_changed=kill@2":  {"text 2\n", []string{firstWritten, secondWritten}},
		"change.announced=kill@1":           {"", nil},
		"change.made=kill@1":                {"text 1\n", []string{firstWritten}},
	} {
		t.Run(strings.ReplaceAll(point, "=", " "), func(t *testing.T) {
			t.Parallel()
			w := newCrashCase(t, changer(false))
			require.True(t, w.crash(point, "--permission-mode", "bypass", "-p", "begin"))
			require.Equal(t, want.held, w.held())
			w.comes()
			doc := w.inspect()
			require.Equal(t, want.changes, changesOf(doc))
			require.Equal(t, want.held, w.held(), "nothing is written again")
			w.requireNothingAnnounced()
		})
	}
}

func TestAWorkersProcessThatIsKilledInAChangeOfAFileLeavesItInTheLog(t *testing.T) {
	t.Parallel()
	w := newCrashCase(t, changer(true))
	cmd, out, errs := w.prompt("change.made=kill@2", "--permission-mode", "bypass", "-p", "begin")
	require.NoError(t, cmd.Start())
	_ = w.await(cmd) // the exit code says that the subagent failed
	w.gone()
	require.Equal(t, "It is gone.\n", out.String(), "Pawl itself goes on: %s", errs)
	require.Equal(t, "text 2\n", w.held())
	require.Equal(t, []string{firstWritten, secondWritten}, changesOf(w.export()))
	w.requireNothingAnnounced()
}

func (w *crashCase) requireNothingAnnounced() {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.Home, "data", "files", "*", "intents", "*"))
	require.NoError(w.t, err)
	require.Empty(w.t, found)
}
