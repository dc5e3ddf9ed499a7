// Package daytest is a made day of work for tests: what a model asks of the shell of a small
// program, line by line, each marked by what it needs.
package daytest

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/soaktest"
)

// What a line needs.
const (
	Reads   = "reads"   // it only reads
	Inside  = "inside"  // it changes the folder and nothing else
	Network = "network" // it wants the network, or another program's server
	Refused = "refused" // it writes where no sandbox lets it
)

// Line is a command of the day.
type Line struct{ Needs, Command string }

//go:embed day.txt
var day string

// Lines are the day's commands in order. outside is a folder beside the program's.
func Lines(outside string) (all []Line) {
	words := strings.NewReplacer(`\nprint`, "\nprint", `\nEND`, "\nEND", "OUTSIDE", outside)
	for row := range strings.Lines(day) {
		needs, command, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		all = append(all, Line{needs, words.Replace(command)})
	}
	return all
}

// Runs reports whether a line can be run here: find, as exec.LookPath, knows its program, and
// compiling is for soak.
func (l Line) Runs(find func(program string) (string, error)) bool {
	program, _, _ := strings.Cut(l.Command, " ")
	if strings.HasPrefix(program, "go") && !soaktest.Wanted() {
		return false
	}
	_, err := find(program)
	return err == nil || slices.Contains([]string{"for"}, program)
}

// Lay makes the program that the day is about, in a folder that is there.
func Lay(t testing.TB, folder string) {
	t.Helper()
	for name, text := range map[string]string{
		"go.mod": "module greet\n\ngo 1.26\n", "greet.go": "package main\n\nfunc main() { println(\"hello\") }\n",
		"greet_test.go": "package main\n\nimport \"testing\"\n\nfunc TestGreet(*testing.T) {}\n",
		"greet.sh":      "echo hello\n", "Makefile": "test:\n\tsh greet.sh\n", "old.tmp": "",
		"package.json": `{"name": "greet", "version": "1.0.0", "scripts": {"test": "sh greet.sh", "lint": "sh -n greet.sh"}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644)) //nolint:gosec // as a checkout has them
	}
	for _, words := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "Day"}, {"config", "user.email", "day@example.com"}, {"add", "-A"}, {"commit", "-qm", "Begin"},
	} {
		gittest.Run(t, folder, words...)
	}
}
