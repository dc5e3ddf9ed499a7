package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// plantedSecret stands in a file outside the folder: it must never be sent anywhere.
const plantedSecret = "kestrel-4711-planted"

// hostileStage is a checkout with links out of it, to a folder with a file that holds
// a secret.
func hostileStage(t *testing.T, out string, script func(modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(out, "secret.txt"), []byte(plantedSecret+"\n"), 0o600))
	s := harness.NewStage(t, modeltest.Chat(), script)
	for name, target := range map[string]string{"file-out": filepath.Join(out, "secret.txt"), "folder-out": out, "hooks": ".git/hooks", "proc": "/proc/self/root"} {
		require.NoError(t, os.Symlink(target, filepath.Join(s.Dir, name)))
	}
	return s
}

// requireUntouched holds that nothing outside was sent to the model or changed.
func requireUntouched(t *testing.T, s *harness.Stage, out string) {
	t.Helper()
	for _, h := range s.Server.All(func(modeltest.Request) bool { return true }) {
		require.NotContains(t, string(h.Raw), plantedSecret)
	}
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := os.ReadFile(filepath.Join(out, "secret.txt"))
	require.NoError(t, err)
	require.Equal(t, plantedSecret+"\n", string(data))
}

// A model that tries each way out of the folder, with a message that names some of
// them, in the freest mode and with nobody there: nothing outside is read or changed,
// and what could run programs is left alone.
func TestNoFileToolLeavesTheFolderOrWritesWhatRuns(t *testing.T) {
	t.Parallel()
	out, tried := t.TempDir(), make(chan []modeltest.Result, 1)
	protected := []string{".git/config", ".git/hooks/pre-commit", "hooks/pre-push", ".mcp.json", ".pawl/config.toml", ".claude/agents/x.md", "linked"}
	s := hostileStage(t, out, inSteps(
		func([]modeltest.Result) []modeltest.Call {
			return []modeltest.Call{modeltest.Use("shell", modeltest.Object{"command": "ln -s " + out + "/secret.txt made && ln -s " + out + " made-folder && ln calc.go linked && mkfifo pipe"})}
		},
		func([]modeltest.Result) []modeltest.Call {
			var calls []modeltest.Call
			for _, path := range []string{
				"file-out", "folder-out/secret.txt", "made", "made-folder/secret.txt", out + "/secret.txt", "../" + filepath.Base(out) + "/secret.txt",
				"proc" + out + "/secret.txt", "/proc/self/root" + out + "/secret.txt", "/proc/self/environ", "pipe", "folder-out/",
			} {
				calls = append(calls, modeltest.Use("read", modeltest.Object{"path": path}), modeltest.Use("write", modeltest.Object{"path": path, "content": "x"}),
					modeltest.Use("edit", modeltest.Object{"path": path, "edits": []modeltest.Object{{"old": "kestrel", "new": "x"}}}), modeltest.Use("grep", modeltest.Object{"path": path, "pattern": "kestrel-[0-9]*-"}))
			}
			calls = append(calls, modeltest.Use("write", modeltest.Object{"path": "folder-out/new", "content": "x"}), modeltest.Use("list", modeltest.Object{"path": "folder-out"}),
				modeltest.Use("glob", modeltest.Object{"pattern": out + "/**"}), modeltest.Use("grep", modeltest.Object{"pattern": "kestrel-[0-9]*-p"}))
			return calls
		},
		func(results []modeltest.Result) []modeltest.Call {
			tried <- results
			return []modeltest.Call{modeltest.Use("read", modeltest.Object{"path": ".git/config"}), modeltest.Use("read", modeltest.Object{"path": "linked"})}
		},
		func([]modeltest.Result) []modeltest.Call {
			var calls []modeltest.Call
			for _, path := range protected {
				calls = append(calls, modeltest.Use("write", modeltest.Object{"path": path, "content": "x"}))
			}
			return calls
		},
	))
	config, err := os.ReadFile(filepath.Join(s.Dir, ".git/config"))
	require.NoError(t, err)
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "look at @file-out, @folder-out/secret.txt, @../"+filepath.Base(out)+"/secret.txt and @"+out+"/secret.txt")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "That was all.", r.Output)
	refused := <-tried
	for _, result := range refused[:len(refused)-1] {
		require.Regexp(t, "outside the folder|is a named pipe|names a folder", result.Text)
	}
	require.Contains(t, refused[len(refused)-1].Text, "No match")
	results := lastResults(t, s)
	require.Len(t, results, len(protected))
	for i, result := range results {
		require.Contains(t, result.Text, "Denied", protected[i])
	}
	requireUntouched(t, s, out)
	for _, path := range protected[1 : len(protected)-1] {
		require.NoFileExists(t, filepath.Join(s.Dir, path))
	}
	after, err := os.ReadFile(filepath.Join(s.Dir, ".git/config"))
	require.NoError(t, err)
	require.Equal(t, string(config), string(after))
	linked, err := os.ReadFile(filepath.Join(s.Dir, "linked"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(linked), "package calc"))
}

// On the screen the same is a question, also in bypass mode and with a rule that
// allows all edits; a no is one.
func TestAGitHookIsAskedAboutInBypassMode(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := hostileStage(t, out, inSteps(asking(modeltest.Use("write", modeltest.Object{"path": "hooks/pre-commit", "content": "#!/bin/sh\ntouch ran\n"}))))
	require.NoError(t, os.MkdirAll(filepath.Join(s.Home, "config"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), []byte("[permissions]\nallow = [\"edit(**)\"]\n"), 0o600))
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("write it")
	x.See("wants to use write", ".git/hooks/pre-commit", "asked about in every mode")
	x.Answer("n")
	x.See("That was all.")
	require.Contains(t, lastResults(t, s)[0].Text, "Denied")
	require.NoFileExists(t, filepath.Join(s.Dir, ".git/hooks/pre-commit"))
	requireUntouched(t, s, out)
	require.Equal(t, 0, x.Quit())
}
