package stories

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// hidden lists what exports have left half done in a folder.
func hiddenExports(t *testing.T, folder string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(folder, ".pawl-export-*"))
	require.NoError(t, err)
	return left
}

// An export to a reader that is gone is nobody's fault, and no word is said.
func TestAnExportToAClosedPipeSaysNothing(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It is done.") })
	r, errs, code := s.Prompted(t, "-p", "begin")
	require.Equal(t, 0, code, errs)
	from, to, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, from.Close())
	defer to.Close()
	cmd := s.Command(t)
	cmd.Args = []string{cmd.Path, "export", r.Session, "-o", "-"}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = to, &said
	require.Error(t, cmd.Run())
	require.Empty(t, said.String())
	require.Equal(t, syscall.SIGPIPE, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

// A killed export leaves its hidden file, never a half one under its name; the next one
// into that folder removes it.
func TestAKilledExportLeavesNoHalfFile(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It is done.") })
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	r, errs, code := s.PromptedBy(t, path, "-p", "begin")
	require.Equal(t, 0, code, errs)
	folder := t.TempDir()
	_, _, code = harness.RunBy(t, path, "", s.Dir, append(s.Env, "FAILPOINTS=export=kill"), "export", r.Session, "-o", folder)
	require.Equal(t, -1, code)
	left := hiddenExports(t, folder)
	require.Len(t, left, 1)
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(left[0], old, old))
	out, errs, code := harness.RunBy(t, path, "", s.Dir, s.Env, "export", r.Session, "-o", folder)
	require.Equal(t, 0, code, errs)
	require.Equal(t, filepath.Join(folder, "pawl-"+r.Session+".md")+"\n", out)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}
