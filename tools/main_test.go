package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/internal/launch"
	"pawl/lifecycle"
	"pawl/tools/workspace"
)

func TestMain(m *testing.M) {
	launch.Main()
	goleak.VerifyTestMain(m)
}

// patience is long enough for a busy machine.
const patience = 45 * time.Second

// plant makes a folder of files from a txtar text and opens it.
func plant(t *testing.T, archive string) *workspace.Workspace {
	t.Helper()
	folder := t.TempDir()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		put(t, folder, file.Name, string(file.Data))
	}
	w, err := workspace.Open(folder)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func put(t *testing.T, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func held(t *testing.T, w *workspace.Workspace, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.Folder(), name))
	require.NoError(t, err)
	return string(data)
}

// args are the fields of a call.
type args map[string]any

// use calls a tool and checks what holds for every result.
func use(t *testing.T, tool agent.Tool, input args) agent.Result {
	t.Helper()
	raw, err := json.Marshal(input)
	require.NoError(t, err)
	return useRaw(t, tool, string(raw))
}

func useRaw(t *testing.T, tool agent.Tool, raw string) agent.Result {
	t.Helper()
	result := tool.Run(t.Context(), agent.Invocation{Call: lifecycle.NewCallID(), Input: json.RawMessage(raw)})
	require.NotEmpty(t, result.Text)
	require.True(t, utf8.ValidString(result.Text), "%q", result.Text)
	return result
}

// refused calls a tool that must refuse, in one line, and gives that line.
func refused(t *testing.T, tool agent.Tool, input args) string {
	t.Helper()
	result := use(t, tool, input)
	require.True(t, result.IsError, result.Text)
	require.NotContains(t, result.Text, "\n")
	return result.Text
}

// done calls a tool that must not refuse.
func done(t *testing.T, tool agent.Tool, input args) agent.Result {
	t.Helper()
	result := use(t, tool, input)
	require.False(t, result.IsError, result.Text)
	return result
}
