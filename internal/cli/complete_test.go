package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
)

// completions is what a shell is answered: a line for each, and what it is to do with them.
func completions(t *testing.T, words ...string) (lines []string, directive string) {
	t.Helper()
	var out bytes.Buffer
	require.Zero(t, Execute(t.Context(), append([]string{"__complete"}, words...), base.World{Out: &out, Err: &bytes.Buffer{}, Folder: t.TempDir()}))
	lines = strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// completed is what begins as the last word, as the shell chooses it.
func completed(t *testing.T, words ...string) (texts []string) {
	t.Helper()
	lines, _ := completions(t, words...)
	_, typed, whole := strings.Cut(words[len(words)-1], "=")
	if !whole {
		typed = words[len(words)-1]
	}
	for _, line := range lines {
		text, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(text, typed) {
			texts = append(texts, text)
		}
	}
	return texts
}

const (
	anyFile = ":0"
	noFile  = ":4"
)

func TestWhatCanStandAtAPlace(t *testing.T) {
	t.Setenv("PAWL_HOME", filepath.Join(t.TempDir(), "none"))
	for _, row := range []struct{ words, want []string }{
		{[]string{"ex"}, []string{"export"}},
		{[]string{"worktr"}, []string{"worktrees"}},
		{[]string{"--mo"}, []string{"--model"}},
		{[]string{"-p", "--pr"}, nil},
		{[]string{"-c", "--res"}, nil},
		{[]string{"--permission-mode", ""}, []string{"default", "accept-edits", "plan", "bypass"}},
		{[]string{"--permission-mode=by"}, []string{"bypass"}},
		{[]string{"--agents", ""}, []string{"drain", "stop"}},
		{[]string{"--model", "dem"}, []string{"demo"}},
		{[]string{"demo", "--output-format", "j"}, []string{"json"}},
		{[]string{"--nothing=x"}, nil},
		{[]string{"export", ""}, nil},
		{[]string{"export", "--format", ""}, []string{"md", "html", "json", "trace", "patch"}},
		{[]string{"export", "--format=h"}, []string{"html"}},
		{[]string{"export", "--format", "md", "--form"}, nil},
		{[]string{"export", "--", "--f"}, nil},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish"}},
		{[]string{"worktrees", ""}, []string{"list", "rm"}},
		{[]string{"worktrees", "rm", "--all"}, []string{"--all-unchanged"}},
		{[]string{"help", "key"}, []string{"keys"}},
		{[]string{"nonsense", "ex"}, nil},
	} {
		require.Equal(t, row.want, completed(t, row.words...), "%q", row.words)
	}
	require.NotContains(t, completed(t, ""), "run-worker")
	require.NoDirExists(t, os.Getenv("PAWL_HOME"), "to complete leaves nothing behind")
}

// Where a file can stand the shell lists its own, and nowhere else.
func TestFilesAreCompletedWhereOneCanStand(t *testing.T) {
	t.Setenv("PAWL_HOME", filepath.Join(t.TempDir(), "none"))
	for line, want := range map[string]string{
		"export x -o |": anyFile, "export --output=|": anyFile, "import |": ":32", "verify |": ":32", "replay |": ":32",
		"|": noFile, "doctor |": noFile, "import x |": noFile, "--drain-timeout |": noFile, "a prompt |": noFile, "export |": ":36",
	} {
		_, directive := completions(t, strings.Split(strings.TrimSuffix(line, "|"), " ")...)
		require.Equal(t, want, directive, line)
	}
}

func TestACandidateSaysWhatItIs(t *testing.T) {
	lines, _ := completions(t, "export", "--fo")
	require.Equal(t, []string{"--format\tThe `FORMAT`: md for reading, html for one page with a", "--force\tOverwrite the file if it is there."}, lines)
	lines, _ = completions(t, "--model", "dem")
	require.Contains(t, lines, "demo\tthe script")
}

func FuzzComplete(f *testing.F) {
	f.Add("export", "--format", "=", "")
	f.Add("--", "-", "--=x", "\x00")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		_, directive := completions(t, a, b, c, d)
		require.Regexp(t, `^:\d+$`, directive)
	})
}
