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

func TestAnExportSaysWhatItCannotDoAndLeavesNoHalfFile(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It is done.") })
	r, errs, code := s.Prompted(t, "-p", "the secret plan")
	require.Equal(t, 0, code, errs)
	folder := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Mkdir(folder, 0o700))
	path := filepath.Join(folder, "pawl-"+r.Session+".html")
	for _, c := range []struct {
		args []string
		code int
		want string // of what is said
	}{
		{[]string{"--format", "html", "-o", folder}, 0, path + "\n"},
		{[]string{"--format", "html", "-o", folder}, 1, "pawl: write " + path + ": the file exists already: choose another name, or replace it with --force\n"},
		{[]string{"--brief", "--force", "-o", path}, 0, path + "\n"}, // a page, by its ending
		{[]string{"-o", folder + "/none/run.md"}, 1, "pawl: write " + folder + "/none/run.md: there is no folder " + folder + "/none: make it first\n"},
		{[]string{"-o", folder + "/none/"}, 2, "pawl: -o " + folder + "/none/: there is no such folder; make it first, or name a file\n"},
		{[]string{"--format", "jsn"}, 2, "pawl: --format jsn: must be one of md, html, json, trace; did you mean \"json\"?\n"},
		{[]string{"--format", "json", "--brief"}, 2, "pawl: brief is for people: use md or html\n"},
	} {
		out, errs, code := harness.Run(t, s.Dir, s.Env, append([]string{"export", r.Session}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s%s", c.args, out, errs)
		require.Equal(t, c.want, out+errs, "%v", c.args)
	}
	brief, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(brief), "The last answer")
	require.NotContains(t, string(brief), "Lifecycle trail")
	bare, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--no-content", "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Contains(t, bare, `"content":false`)
	for _, said := range []string{"secret plan", "It is done", s.Dir} {
		require.NotContains(t, bare, said)
	}
	page, errs, code := harness.Run(t, s.Dir, s.Env, "show", r.Session, "--brief")
	require.Equal(t, 0, code, errs)
	require.Contains(t, page, "- P1: `the secret plan`\n")
	require.Less(t, bytes.Count([]byte(page), []byte("\n")), 60)
	require.Empty(t, hiddenExports(t, folder))
	closedPipe(t, s, r.Session)
}

// closedPipe exports to a reader that is gone: that is nobody's fault, and no word is said.
func closedPipe(t *testing.T, s *harness.Stage, session string) {
	t.Helper()
	from, to, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, from.Close())
	defer to.Close()
	cmd := s.Command(t)
	cmd.Args = []string{cmd.Path, "export", session, "-o", "-"}
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = to, &errs
	require.Error(t, cmd.Run())
	require.Empty(t, errs.String())
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
