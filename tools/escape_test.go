package tools

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// plannedEffect is the effect of writing a file, or of editing one that is there.
func plannedEffect(t *testing.T, w *workspace.Workspace, path string) (agent.Effect, error) {
	t.Helper()
	tool, input := Write(w), args{"path": path, "content": "new"}
	if _, err := os.Lstat(filepath.Join(w.Folder(), path)); err == nil {
		tool, input = Edit(w), args{"path": path, "edits": []args{{"old": "old", "new": "new"}}}
	}
	raw, err := json.Marshal(input)
	require.NoError(t, err)
	return tool.Effect(t.Context(), agent.Invocation{Call: lifecycle.NewCallID(), Input: raw})
}

// requireAsked holds an effect to a question in every mode but plan, which denies it,
// whatever rule allows it.
func requireAsked(t *testing.T, e agent.Effect) {
	t.Helper()
	var rules permission.Rules
	require.NoError(t, json.Unmarshal([]byte(`{"allow": ["edit(**)"]}`), &rules))
	for mode, want := range map[permission.Mode]permission.Decision{
		permission.Default: permission.Ask, permission.AcceptEdits: permission.Ask, permission.Bypass: permission.Ask, permission.Plan: permission.Deny,
	} {
		got, _ := rules.Decide(mode, e)
		require.Equal(t, want, got, "%s in %s", e.Subject, mode)
	}
	require.Empty(t, rules.Propose(permission.Default, e), "no rule would lift it")
}

func TestWhatCanRunProgramsIsAskedAboutHoweverItIsReached(t *testing.T) {
	w := plant(t, `
-- .git/config --
old
-- sub/.git --
gitdir: ../meta old
-- meta/HEAD --
ref: refs/heads/main
-- meta/objects/x --
-- meta/refs/x --
-- meta/config --
old
-- meta/hooks/pre-commit --
old
-- .mcp.json --
old
-- deep/.mcp.json --
old
-- .claude/agents/x.md --
old
-- .pawl/config.toml --
old
-- home/config/agents/mine.md --
old
-- src/main.go --
old
`)
	w.Own = []string{filepath.Join(w.Folder(), "home/config"), "/nowhere/else", filepath.Join(w.Folder(), "not-there")}
	links := map[string]string{"to-git": ".git", "to-config": "meta/config", "to-own": filepath.Join(w.Folder(), "home"), "chain": "to-git"}
	for name, target := range links {
		require.NoError(t, os.Symlink(target, filepath.Join(w.Folder(), name)))
	}
	for _, path := range []string{
		".git/config", ".git/hooks/pre-commit", "sub/.git", "meta/config", "meta/hooks/pre-commit", "meta/hooks/new", ".mcp.json", "deep/.mcp.json",
		".claude/agents/x.md", ".claude/settings.json", ".pawl/config.toml", ".pawl/agents/new.md", "home/config/agents/mine.md", "HOME/Config/new",
		"not-there/config.toml", "to-git/config", "to-config", "to-own/config/agents/mine.md", "chain/config", "./src/../.git/config", "src/../.git/./hooks//x",
	} {
		e, err := plannedEffect(t, w, path)
		require.NoError(t, err, path)
		requireAsked(t, e)
	}
	e, err := plannedEffect(t, w, "src/main.go")
	require.NoError(t, err)
	require.Empty(t, e.AlwaysAsk)
}

// A hard link may lead outside. The other name keeps what it holds, and somebody is
// asked.
func TestAFileOfSeveralNamesIsAskedAboutAndTheOthersStay(t *testing.T) {
	w := plant(t, "-- a.txt --\nold\n")
	outer := filepath.Join(t.TempDir(), "outer")
	require.NoError(t, os.Link(filepath.Join(w.Folder(), "a.txt"), outer))
	e, err := plannedEffect(t, w, "a.txt")
	require.NoError(t, err)
	require.Contains(t, e.AlwaysAsk, "hard links")
	requireAsked(t, e)
	done(t, Read(w), args{"path": "a.txt"})
	done(t, Write(w), args{"path": "a.txt", "content": "new"})
	data, err := os.ReadFile(outer)
	require.NoError(t, err)
	require.Equal(t, "old\n", string(data))
	e, err = plannedEffect(t, plant(t, "-- b.txt --\nold\n"), "b.txt")
	require.NoError(t, err)
	require.Empty(t, e.AlwaysAsk)
}

// What is no file of the folder is refused at once: nothing is waited for, and
// nothing of it is read.
func TestWhatIsNoFileOfTheFolderIsRefusedAtOnce(t *testing.T) {
	w := plant(t, "-- in/a.txt --\ninner\n")
	at := func(name string) string { return filepath.Join(w.Folder(), name) }
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "unix", at("socket"))
	require.NoError(t, err)
	defer listener.Close()
	for name, target := range map[string]string{
		"null": "/dev/null", "self": "/proc/self/root", "environ": "/proc/self/environ", "descriptor": "/dev/fd/0", "back": "/proc/self/cwd",
		"slash": "/", "dangling": "/nowhere/x", "near": "../x", "deep-pipe": "pipe",
	} {
		require.NoError(t, os.Symlink(target, at(name)))
	}
	if os.Geteuid() == 0 && syscall.Mknod(at("device"), syscall.S_IFCHR|0o600, 1<<8|5) == nil { // zeros without end
		require.Contains(t, refused(t, Read(w), args{"path": "device"}), "device")
	}
	for _, path := range []string{
		"pipe", "socket", "null", "self/etc/passwd", "environ", "descriptor", "back/in/a.txt", "slash/etc/passwd", "dangling", "near", "deep-pipe",
		"/proc/self/root" + at("in/a.txt"), "/proc/self/cwd/x", "/dev/fd/0", "/dev/stdin", "/proc/1/environ", "in/a.txt/x", "in/../../x", "self/", "slash/.",
		"in\x00/a.txt", strings.Repeat("x", 300), strings.Repeat("x/", 3000), at("..") + "/x",
	} {
		refused(t, Read(w), args{"path": path})
		refused(t, Write(w), args{"path": path, "content": "x"})
		refused(t, Edit(w), args{"path": path, "edits": []args{{"old": "inner", "new": "x"}}})
		require.NotContains(t, use(t, Grep(w, nil), args{"path": path, "pattern": "."}).Text, "root:")
		all := Attach(t.Context(), w, `@"`+path+`"`, nil, true)
		for _, one := range all {
			require.True(t, one.Left, path)
		}
	}
	require.NoFileExists(t, "/nowhere/x")
}

// CVE-2026-39861's class: what a command makes beside the file tools leads them
// nowhere.
func TestALinkThatTheShellMakesLeadsNoFileToolOut(t *testing.T) {
	w := plant(t, "-- a.txt --\ninner\n")
	out := outside(t)
	done(t, Shell(w, &process.Launcher{}, nil), args{"command": "ln -s " + out + " there && ln -s " + out + "/secret.txt a && ln -s " + out + "/new b"})
	for _, path := range []string{"there/secret.txt", "a", "b", "there/new"} {
		require.NotContains(t, refused(t, Read(w), args{"path": path}), "outer secret")
		refused(t, Write(w), args{"path": path, "content": "x"})
	}
	require.Contains(t, use(t, Grep(w, nil), args{"pattern": "outer"}).Text, "No match for outer")
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestALinkAmongTheKeptOutputsLeadsNowhere(t *testing.T) {
	w, folder := keeping(t, "-- a.txt --\nx\n")
	out := outside(t)
	kept := w.Outputs.Keep("shell", "kept")
	require.NoError(t, kept.Err)
	require.NoError(t, os.Symlink(filepath.Join(out, "secret.txt"), filepath.Join(folder, "link")))
	require.NoError(t, os.Symlink(out, filepath.Join(folder, "folder")))
	for _, path := range []string{"link", "folder/secret.txt", "../../x", "folder/../../../etc/passwd"} {
		require.NotContains(t, refused(t, Read(w), args{"path": folder + "/" + path}), "outer secret")
	}
	require.NotContains(t, use(t, Grep(w, nil), args{"path": folder, "pattern": "secret"}).Text, "outer")
	require.Contains(t, refused(t, Write(w), args{"path": folder + "/new", "content": "x"}), "read-only")
	require.Contains(t, done(t, Read(w), args{"path": kept.Path}).Text, "kept")
}
