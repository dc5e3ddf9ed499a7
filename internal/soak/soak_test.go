//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// workshop is a module with a few tests, whose parts are played as Pawl's are.
func workshop(t *testing.T) (runner, *bytes.Buffer) {
	t.Helper()
	root := gittest.Checkout(t)
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module tiny\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(root, "small"), 0o700))
	tests, err := os.ReadFile("testdata/tiny_test.go")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "small", "tiny_test.go"), tests, 0o600))
	server := filepath.Join(root, "internal", "server")
	require.NoError(t, os.MkdirAll(server, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(server, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.sum"), nil, 0o600))
	gittest.Run(t, root, "add", ".")
	gittest.Run(t, root, "commit", "-qm", "tiny")
	now, err := here(t.Context(), root)
	require.NoError(t, err)
	require.False(t, now.Changed)
	said := &bytes.Buffer{}
	return runner{root: root, out: filepath.Join(t.TempDir(), "out"), say: said, state: now}, said
}

func tinyPart(name, run string) part {
	return part{Family: "Tiny", Name: name, Promise: "It holds.", Packages: []string{"./small"}, Run: run, Minutes: 0.1}
}

func TestASoakGoesOnAfterAFailureAndSaysWhatWasTriedFoundAndLeftOut(t *testing.T) {
	r, said := workshop(t)
	late := tinyPart("late", "ForEver")
	late.Args = []string{"-timeout=2s"}
	many := tinyPart("many", "Worse")
	many.Times, many.Pieces = 10, 2
	parts := []part{tinyPart("bad", "Bad"), late, many, tinyPart("none", "NoSuchTest"), tinyPart("good", "Good|NotHere"), tinyPart("idle", "NotHere"), tinyPart("left out", "Good")}
	pieces, err := dealt(parts[:6], "1/1")
	require.NoError(t, err)
	require.Len(t, pieces, 7)
	require.ErrorIs(t, r.playAll(t.Context(), pieces), errUnsound)

	rows, err := gathered(t.Context(), r.root, parts, []string{r.out})
	require.NoError(t, err)
	text := page(rows, r.state.Commit)
	for _, want := range []string{
		"**4 of 7 parts were played to their end with the program as it is at commit `" + r.state.Commit[:10] + "`**",
		"- cut short, test timed out after 2s in TestForEver: late\n",
		"- skipped, there is no such machine: idle\n", "- did not run: left out\n", "| **not tried** |",
		"| **good**: It holds. | `TestGood`, 2 cases, skipped `TestNotHere`: there is no such machine | 42 small things | nothing |",
		"| **bad**: It holds. | `TestBad` |  | **1 failure** |",
		"`TestBad/seed_7` in bad, at commit", "; again: `PAWL_SEED=7 go test ./small -run '^TestBad$'`", "two | and one are four",
		"`TestWorse` in many, 2 of 2", "; again: `PAWL_SOAK=5 PAWL_SOAK_FIRST=5 go test -count=1 ./small -run '^TestWorse$'`", "5 5",
		`no test of ./small matches "NoSuchTest"`,
		"| The Other | 1.2.3 | 7 | nothing |",
	} {
		require.Contains(t, text, want, "%s\n%s", text, said)
	}
	require.FileExists(t, filepath.Join(r.out, "bad.log"))
	require.NoFileExists(t, filepath.Join(r.out, "good.log"))
}

func TestASoakThatIsInterruptedSaysWhatDidNotRunAndTheSlicesAddUp(t *testing.T) {
	r, said := workshop(t)
	long := tinyPart("long", "ForEver")
	long.Minutes = 9
	ctx, stop := interruptible()
	defer stop()
	ended := make(chan error)
	go func() { ended <- r.playAll(ctx, []part{long, tinyPart("good", "Good")}) }()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(r.root, "small", "begun"))
		return err == nil
	}, 5*time.Minute, 10*time.Millisecond) // it is built first
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	require.ErrorIs(t, <-ended, errUnsound)
	require.Contains(t, said.String(), "CUT SHORT: it was interrupted\ninterrupted. These did not run:\n  good\n")

	// Another machine plays the other slice, with another program.
	parts := []part{long, tinyPart("good", "Good"), tinyPart("again", "Good")}
	other, _ := workshop(t)
	require.NoError(t, os.WriteFile(filepath.Join(other.root, "small", "small.go"), []byte("package tiny\n"), 0o600))
	other.state.Commit = strings.Repeat("b", 40)
	for slice, mine := range map[string]string{"1/2": "long", "2/2": "good"} {
		pieces, err := dealt(parts, slice)
		require.NoError(t, err)
		require.Equal(t, mine, pieces[0].Name, slice)
		if slice == "2/2" {
			require.NoError(t, other.playAll(t.Context(), pieces))
		}
	}
	rows, err := gathered(t.Context(), r.root, parts, []string{r.out, other.out})
	require.NoError(t, err)
	text := page(rows, r.state.Commit)
	require.Contains(t, text, "**0 of 3 parts were played")
	require.Contains(t, text, "- cut short, it was interrupted: long\n")
	require.NotContains(t, text, "What failed")
	require.Contains(t, text, "- ran with another program, at commit `bbbbbbbbbb`: good; again\n")
	rows, err = gathered(t.Context(), other.root, parts, []string{r.out, other.out})
	require.NoError(t, err)
	require.Contains(t, page(rows, other.state.Commit), "**2 of 3 parts were played")
}

func TestFuzzingKeepsItsCorpusItsHoursAndWhatFailed(t *testing.T) {
	r, _ := workshop(t)
	targets, err := fuzzTargets(r.root)
	require.NoError(t, err)
	require.Len(t, targets, 1)
	targets[0].Minutes = 0.02
	require.NoError(t, r.playAll(t.Context(), targets))
	corpus := filepath.Join(r.out, "corpus", "small", "FuzzTiny")
	for targets[0].Minutes < 1 {
		if _, err := os.Stat(corpus); err == nil {
			break
		}
		targets[0].Minutes *= 2 // a slow machine has tried nothing yet
		require.NoError(t, r.playAll(t.Context(), targets))
	}
	before, _, err := read(filepath.Join(r.out, targets[0].file()))
	require.NoError(t, err)
	require.DirExists(t, corpus)
	targets[0].Minutes, targets[0].Env = 1, []string{"FAILS=1"}
	require.ErrorIs(t, r.playAll(t.Context(), targets), errUnsound)
	got, _, err := read(filepath.Join(r.out, targets[0].file()))
	require.NoError(t, err)
	require.Greater(t, got.Seconds, before.Seconds)
	require.GreaterOrEqual(t, got.Tried[0].Count, before.Tried[0].Count)
	require.Len(t, got.Failures, 1)
	require.Regexp(t, `^go test -count=1 \./small -run '\^FuzzTiny\$/\^[0-9a-f]{16}\$'$`, got.Failures[0].Again)
	require.Contains(t, fmt.Sprint(got.Failures[0].Lines), "go test fuzz v1 []byte(", "the input stands in the result: another machine has not the file")
}

func TestResultsAddUpWhereTestsChangeAndNotWhereTheProgramDoes(t *testing.T) {
	r, _ := workshop(t)
	of := func(p part, path, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(r.root, path), []byte(text), 0o600))
		program, err := programOf(t.Context(), r.root, p.subjects())
		require.NoError(t, err)
		return program
	}
	small, story := part{Packages: []string{"./small"}}, part{Packages: []string{stories + "/crash"}}
	first := of(small, "README.md", "words\n")
	require.Equal(t, first, of(small, "small/tiny_test.go", "package tiny\n"))
	require.Equal(t, first, of(small, "internal/server/main.go", "package main\n\nfunc main() { println() }\n"), "it is not tried there")
	started := of(story, "README.md", "other words\n")
	require.NotEqual(t, started, of(story, "internal/server/main.go", "package main\n\nfunc main() {}\n"))
	require.NotEqual(t, first, of(small, "small/small.go", "package tiny\n"))
}

// A pattern that has lost its tests is an error in the gate, not after a night.
func TestEachPartOfTheTableMatchesATestOfEachOfItsPackages(t *testing.T) {
	parts, err := table("../..")
	require.NoError(t, err)
	names := map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, p := range parts {
		require.False(t, names[p.Name], "two parts are %s", p.Name)
		names[p.Name] = true
		require.LessOrEqual(t, p.Minutes/float64(max(1, p.Pieces)), 41.0, "%s is too long for a slice of 80 minutes", p.Name)
		require.True(t, p.Times == 0 || p.Times/max(1, p.Pieces) > 1, p.Name)
		for _, pkg := range p.Packages {
			if p.Dir != "" || p.Fuzz != "" {
				continue
			}
			found := false
			files, err := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
			require.NoError(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				for _, m := range test.FindAllStringSubmatch(string(text), -1) {
					found = found || regexp.MustCompile(p.Run).MatchString(m[1])
				}
			}
			require.True(t, found, "%s: no test of %s matches %q", p.Name, pkg, p.Run)
		}
	}
}

func TestWhatIsNoSliceIsRefused(t *testing.T) {
	for _, slice := range []string{"", "1", "0/2", "3/2", "a/b"} {
		_, err := dealt(nil, slice)
		require.ErrorContains(t, err, "say 1/3 for the first of three", slice)
	}
}

func TestWhatRapidShrankIsPlayedAgainByItsSeed(t *testing.T) {
	var got result
	l := newListener(func() bool { return false }, &got, part{Packages: []string{"./lifecycle"}, Race: true}, ".")
	for _, line := range []string{
		`{"Action":"output","Package":"pawl/lifecycle","Test":"TestAny","Output":"    model_test.go:54: [rapid] failed after 3 tests: broken\n"}`,
		`{"Action":"output","Package":"pawl/lifecycle","Test":"TestAny","Output":"        To reproduce, specify -run=\"TestAny\" -rapid.failfile=\"testdata/x.fail\" (or -rapid.seed=77)\n"}`,
		`{"Action":"fail","Package":"pawl/lifecycle","Test":"TestAny"}`,
	} {
		fmt.Fprintln(l, line)
	}
	require.Len(t, got.Failures, 1)
	require.Equal(t, "go test -race -count=1 ./lifecycle -run '^TestAny$' -rapid.seed=77", got.Failures[0].Again)
}
