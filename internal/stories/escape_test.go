package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plantedSecret stands in a file outside the folder: it must never be sent anywhere.
const plantedSecret = "kestrel-4711-planted"

// hostileStage is a checkout with links out of it, to a folder with a file that holds
// a secret.
func hostileStage(t *testing.T, out string, script func(heard) reply) *stage {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(out, "secret.txt"), []byte(plantedSecret+"\n"), 0o600))
	s := set(t, chatProtocol(), script)
	for name, target := range map[string]string{"file-out": filepath.Join(out, "secret.txt"), "folder-out": out, "hooks": ".git/hooks", "proc": "/proc/self/root"} {
		require.NoError(t, os.Symlink(target, filepath.Join(s.dir, name)))
	}
	return s
}

// requireUntouched holds that nothing outside was sent to the model or changed.
func (s *stage) requireUntouched(t *testing.T, out string) {
	t.Helper()
	for _, h := range s.server.all(func(heard) bool { return true }) {
		require.NotContains(t, string(h.raw), plantedSecret)
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
	out, tried := t.TempDir(), make(chan []result, 1)
	protected := []string{".git/config", ".git/hooks/pre-commit", "hooks/pre-push", ".mcp.json", ".pawl/config.toml", ".claude/agents/x.md", "linked"}
	s := hostileStage(t, out, inSteps(
		func([]result) []call {
			return []call{use("shell", object{"command": "ln -s " + out + "/secret.txt made && ln -s " + out + " made-folder && ln calc.go linked && mkfifo pipe"})}
		},
		func([]result) []call {
			var calls []call
			for _, path := range []string{
				"file-out", "folder-out/secret.txt", "made", "made-folder/secret.txt", out + "/secret.txt", "../" + filepath.Base(out) + "/secret.txt",
				"proc" + out + "/secret.txt", "/proc/self/root" + out + "/secret.txt", "/proc/self/environ", "pipe", "folder-out/",
			} {
				calls = append(calls, use("read", object{"path": path}), use("write", object{"path": path, "content": "x"}),
					use("edit", object{"path": path, "edits": []object{{"old": "kestrel", "new": "x"}}}), use("grep", object{"path": path, "pattern": "kestrel-[0-9]*-"}))
			}
			calls = append(calls, use("write", object{"path": "folder-out/new", "content": "x"}), use("list", object{"path": "folder-out"}),
				use("glob", object{"pattern": out + "/**"}), use("grep", object{"pattern": "kestrel-[0-9]*-p"}))
			return calls
		},
		func(results []result) []call {
			tried <- results
			return []call{use("read", object{"path": ".git/config"}), use("read", object{"path": "linked"})}
		},
		func([]result) []call {
			var calls []call
			for _, path := range protected {
				calls = append(calls, use("write", object{"path": path, "content": "x"}))
			}
			return calls
		},
	))
	config, err := os.ReadFile(filepath.Join(s.dir, ".git/config"))
	require.NoError(t, err)
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "look at @file-out, @folder-out/secret.txt, @../"+filepath.Base(out)+"/secret.txt and @"+out+"/secret.txt")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "That was all.", r.Output)
	refused := <-tried
	for _, result := range refused[:len(refused)-1] {
		require.Regexp(t, "outside the folder|is a named pipe|names a folder", result.text)
	}
	require.Contains(t, refused[len(refused)-1].text, "No match")
	results := s.lastResults(t)
	require.Len(t, results, len(protected))
	for i, result := range results {
		require.Contains(t, result.text, "Denied", protected[i])
	}
	s.requireUntouched(t, out)
	for _, path := range protected[1 : len(protected)-1] {
		require.NoFileExists(t, filepath.Join(s.dir, path))
	}
	after, err := os.ReadFile(filepath.Join(s.dir, ".git/config"))
	require.NoError(t, err)
	require.Equal(t, string(config), string(after))
	linked, err := os.ReadFile(filepath.Join(s.dir, "linked"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(linked), "package calc"))
}

// On the screen the same is a question, also in bypass mode and with a rule that
// allows all edits; a no is one.
func TestAGitHookIsAskedAboutInBypassMode(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := hostileStage(t, out, inSteps(asking(use("write", object{"path": "hooks/pre-commit", "content": "#!/bin/sh\ntouch ran\n"}))))
	require.NoError(t, os.MkdirAll(filepath.Join(s.home, "config"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(s.home, "config", "config.toml"), []byte("[permissions]\nallow = [\"edit(**)\"]\n"), 0o600))
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("write it")
	x.see("wants to use write", ".git/hooks/pre-commit", "asked about in every mode")
	x.answer("n")
	x.see("That was all.")
	require.Contains(t, s.lastResults(t)[0].text, "Denied")
	require.NoFileExists(t, filepath.Join(s.dir, ".git/hooks/pre-commit"))
	s.requireUntouched(t, out)
	require.Equal(t, 0, x.quit())
}
