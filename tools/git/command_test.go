package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools/process"
)

// marking is a program that leaves a mark when it is run, and hands its input on.
func marking(t *testing.T) (program, mark string) {
	t.Helper()
	dir := t.TempDir()
	program, mark = filepath.Join(dir, "program"), filepath.Join(dir, "mark")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> "+mark+"\nexec cat\n"), 0o700))
	return program, mark
}

// run is git through the launcher, as doctor runs it.
func run(t *testing.T, c process.Command) string {
	t.Helper()
	environ := func() []string { return Environ(append(os.Environ(), "GIT_DIR=/nowhere", "HOME="+t.TempDir())) }
	done, err := (&process.Launcher{Environ: environ}).Run(t.Context(), c)
	require.NoError(t, err)
	text, _ := done.Output.Text(10_000)
	require.Zero(t, done.ExitCode, text)
	return text
}

func plainly(t *testing.T, folder string, args ...string) {
	t.Helper()
	run(t, process.Command{Name: "git", Args: args, Folder: folder})
}

// hostile is a checkout in which each setting that git obeys for status and diff
// leaves a mark.
func hostile(t *testing.T) (folder, mark string) {
	t.Helper()
	program, mark := marking(t)
	folder = t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), mode))
	}
	plainly(t, folder, "init", "-q", ".")
	write("kept.txt", "one\n", 0o600)
	write("other.bin", "two\n", 0o600)
	plainly(t, folder, "add", ".")
	plainly(t, folder, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first")
	write(".gitattributes", "*.txt filter=evil diff=evil\n*.bin filter=long\n", 0o600)
	write("kept.txt", "ONE\n", 0o600)
	write("other.bin", "TWO\n", 0o600)
	for key, value := range map[string]string{
		"core.fsmonitor": program, "core.pager": program, "diff.external": program, "filter.evil.clean": program,
		"filter.evil.smudge": program, "filter.long.process": program, "filter.evil.required": "true",
		"diff.evil.textconv": program, "diff.evil.command": program, "core.hooksPath": filepath.Join(folder, ".git", "hooks"),
		"core.editor": program, "core.sshCommand": program, "credential.helper": "!" + program, "alias.st": "!" + program,
	} {
		plainly(t, folder, "config", key, value)
	}
	script, err := os.ReadFile(program)
	require.NoError(t, err)
	for _, hook := range []string{"post-index-change", "pre-commit", "post-checkout"} {
		write(filepath.Join(".git", "hooks", hook), string(script), 0o700)
	}
	return folder, mark
}

func TestAMaliciousCheckoutLeavesNoMark(t *testing.T) {
	folder, mark := hostile(t)
	plain := process.Command{Name: "git", Args: []string{"status", "--porcelain"}, Folder: folder}
	_, err := (&process.Launcher{Environ: func() []string { return Environ(os.Environ()) }}).Run(t.Context(), plain)
	require.NoError(t, err)
	require.FileExists(t, mark, "without the options its programs run: else this test proves nothing")
	require.NoError(t, os.Remove(mark))

	for _, args := range [][]string{Status(), Diff(), {"--version"}} {
		c, err := Look(folder).Command(folder, args...)
		require.NoError(t, err)
		text := run(t, c)
		require.NoFileExists(t, mark, "%q", args)
		if slices.Equal(args, Status()) {
			require.ElementsMatch(t, []string{" M kept.txt", " M other.bin", "?? .gitattributes"}, strings.Split(strings.Trim(text, "\x00"), "\x00"))
		}
	}
}

func TestGitIsNotRunWhereAFilterCannotBeSwitchedOff(t *testing.T) {
	folder, _ := hostile(t)
	config := filepath.Join(folder, ".git", "config")
	text, err := os.ReadFile(config)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(config, append(text, "[filter \"a=b\"]\nclean = touch mark\n"...), 0o600))
	_, err = Look(folder).Command(folder, Status()...)
	require.ErrorContains(t, err, `"a=b"`)
}
