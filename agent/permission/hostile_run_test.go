package permission

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorder stands in the place of every program: it writes down its name and its
// words, each with a mark behind it, and does nothing else. It writes once: the programs
// of a pipe write side by side.
const recorder = "#!/bin/sh\n" + `printf '%s\036' "${0##*/}" "$@" "$(printf '\035')" >>"$RECORD"` + "\n"

// between stands behind each call in what recorders write.
const between = "\x1e\x1d\x1e"

// bench is a folder whose programs are all recorders.
type bench struct{ shell, programs, folder, record string }

func newBench(t testing.TB, shell string, programs []string) bench {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("there is no %s here", shell)
	}
	b := bench{path, t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "record")}
	for _, name := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(b.programs, name), []byte(recorder), 0o700))
	}
	require.NoError(t, os.Mkdir(filepath.Join(b.folder, "sub"), 0o700))
	return b
}

// run gives what was called, sorted, and which files are there that were not before.
func (b bench) run(t testing.TB, line string) (called, files []string) {
	t.Helper()
	require.NoError(t, os.WriteFile(b.record, nil, 0o600))
	cmd := exec.CommandContext(t.Context(), b.shell, "-c", line)
	cmd.Dir = b.folder
	cmd.Env = []string{"PATH=" + b.programs, "RECORD=" + b.record, "HOME=" + b.folder}
	out, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &failed)
	}
	require.NotContains(t, string(out), "not found", "%q is run by a program that is not listed", line)
	record, err := os.ReadFile(b.record)
	require.NoError(t, err)
	called = strings.Split(strings.TrimSuffix(string(record), between), between)
	slices.Sort(called)
	require.NoError(t, filepath.WalkDir(b.folder, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(b.folder, path); rel != "." && rel != "sub" {
			files = append(files, rel)
		}
		return err
	}))
	return called, files
}

// What the table allows is run by real shells, with bash and with whatever is sh:
// nothing but the programs that the rules name is called, with the very words that
// were read, and nothing is written.
func TestARealShellRunsNothingButTheListedPrograms(t *testing.T) {
	r := ruled(t, littleDenied, nil, muchAllowed)
	var programs []string
	for _, rule := range r.Allow {
		programs = append(programs, rule.match.(commandPattern).words[0][0])
	}
	for _, shell := range []string{"bash", "sh"} {
		t.Run(shell, func(t *testing.T) {
			b := newBench(t, shell, programs)
			for _, row := range lineTable() {
				if row.want != allow {
					continue
				}
				called, files := b.run(t, row.line)
				require.Empty(t, files, "%q writes", row.line)
				commands, _ := plainCommands(row.line)
				for _, call := range called {
					require.True(t, call == "" || slices.ContainsFunc(commands, func(c command) bool { return c.recorded() == call }), "%q calls %q", row.line, call)
				}
				if !slices.Contains(builtIn, commands[0][0].text) {
					require.Contains(t, called, commands[0].recorded(), "%q", row.line)
				}
			}
		})
	}
}

// builtIn are those of the listed programs that the shell has itself.
var builtIn = []string{"cd", "echo", "printf", "true", "test"}

// recorded is what a recorder writes of a command.
func (c command) recorded() string {
	var words []string
	for _, w := range c {
		words = append(words, w.text)
	}
	return strings.Join(words, "\x1e")
}

// The bench sees what it is there to see: lines that are asked about do call other
// programs, and write.
func TestTheBenchSeesWhatIsNotAllowed(t *testing.T) {
	for line, want := range map[string]string{
		"git status; touch x": "touch", "echo $(touch x)": "touch", "git() { touch x; }; git status": "touch", "find . -exec touch x ';'": "find",
	} {
		called, _ := newBench(t, "sh", []string{"git", "touch", "find"}).run(t, line)
		require.Contains(t, fmt.Sprint(called), want, line)
	}
	_, files := newBench(t, "sh", []string{"git"}).run(t, "git log > x")
	require.Equal(t, []string{"x"}, files)
}
