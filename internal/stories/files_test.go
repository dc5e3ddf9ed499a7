package stories

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// inSteps is the script of a parent that works alone: in each step it asks for what
// a function makes of the results so far, and in the end says that it is done.
func inSteps(steps ...func(results []modeltest.Result) []modeltest.Call) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		if len(steps) == 0 {
			return modeltest.Say("That was all.")
		}
		var results []modeltest.Result
		for _, m := range h.News() {
			results = append(results, m.Results...)
		}
		next := steps[0]
		steps = steps[1:]
		return modeltest.Do(next(results)...)
	}
}

// asking is a step of calls that are known beforehand.
func asking(calls ...modeltest.Call) func([]modeltest.Result) []modeltest.Call {
	return func([]modeltest.Result) []modeltest.Call { return calls }
}

// requireDone plays a script of steps to its end.
func requireDone(t *testing.T, s *harness.Stage, args ...string) harness.Report {
	t.Helper()
	r, errs, code := s.Prompted(t, append([]string{"--permission-mode", "bypass", "-p", "work"}, args...)...)
	require.Equal(t, 0, code, errs)
	require.Equal(t, "That was all.", r.Output)
	return r
}

// lastResults are the results that the last request of the parent brought.
func lastResults(t *testing.T, s *harness.Stage) []modeltest.Result {
	t.Helper()
	all := s.Server.All(modeltest.FromParent)
	require.NotEmpty(t, all)
	var results []modeltest.Result
	for _, m := range all[len(all)-1].News() {
		results = append(results, m.Results...)
	}
	return results
}

func TestFilesThatAreNoSmallText(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.txt")
	read := func(path string) modeltest.Call { return modeltest.Use("read", modeltest.Object{"path": path}) }
	s := harness.NewStage(t, modeltest.Anthropic(), inSteps(asking(
		modeltest.Use("read", modeltest.Object{"path": "big.txt", "offset": 102_400}),
		modeltest.Use("grep", modeltest.Object{"path": "big.txt", "pattern": "last .*line$"}),
		modeltest.Use("grep", modeltest.Object{"pattern": "last .*line$"}),
		read("bin"), read("empty"), read("out.txt"), read("out/secret.txt"), read(".."),
		modeltest.Use("write", modeltest.Object{"path": "out.txt", "content": "x"}),
		modeltest.Use("glob", modeltest.Object{"pattern": "**/*.txt"}),
		modeltest.Use("list", modeltest.Object{}),
		modeltest.Use("grep", modeltest.Object{"path": "wide.md", "pattern": "w"}),
	)))
	require.NoError(t, os.WriteFile(outside, []byte("secret last line\n"), 0o600))
	for name, content := range map[string]string{
		"big.txt": strings.Repeat(strings.Repeat("x", 1023)+"\n", 100<<10) + "the last of the lines is this line\n",
		"wide.md": strings.Repeat(strings.Repeat("w", 400)+"\n", 200),
		"bin":     "\x7fELF\x00\x01", "empty": "", "in.txt": "here\n", ".gitignore": "*.log\n", "a.log": "a last line\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(s.Dir, name), []byte(content), 0o600))
	}
	for name, age := range map[string]time.Duration{"big.txt": time.Hour, "in.txt": time.Minute} {
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(filepath.Join(s.Dir, name), at, at))
	}
	require.NoError(t, os.Symlink(outside, filepath.Join(s.Dir, "out.txt")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(s.Dir, "out")))
	requireDone(t, s)

	want := []string{
		"102400\t" + strings.Repeat("x", 1023) + "\n102401\tthe last of the lines is this line\n[lines 102400-102401 of 102401]\n",
		"big.txt\n102401: the last of the lines is this line",
		"[No match for last .*line$ in 8 files, not counting files that are binary or over 10.0 MB]",
		"bin is binary (application/octet-stream, 6 B): read shows text and pictures",
		"empty is empty (0 B)",
		"out.txt leads outside the folder", "out/secret.txt leads outside the folder", ".. is outside the folder",
		"out.txt leads outside the folder",
		"out.txt\nin.txt\nbig.txt",
		"big.txt  100.0 MB",
		"bytes of output are left out here; all of it is in " + s.Home + "/data/outputs/",
	}
	for i, got := range lastResults(t, s) {
		require.Contains(t, got.Text, want[i])
	}
	require.Len(t, lastResults(t, s), len(want))
}

func TestEditKeepsLineEndsAndRefusesWhatIsStaleOrInTwoPlaces(t *testing.T) {
	t.Parallel()
	edit := func(edits ...modeltest.Object) modeltest.Call {
		return modeltest.Use("edit", modeltest.Object{"path": "crlf.txt", "edits": edits})
	}
	var path string
	var said []string
	heard := func(step func([]modeltest.Result) []modeltest.Call) func([]modeltest.Result) []modeltest.Call {
		return func(results []modeltest.Result) []modeltest.Call {
			for _, r := range results {
				said = append(said, r.Text)
			}
			return step(results)
		}
	}
	s := harness.NewStage(t, modeltest.Anthropic(), inSteps(
		asking(modeltest.Use("read", modeltest.Object{"path": "crlf.txt"})),
		heard(asking(edit(modeltest.Object{"old": "two\nthree", "new": "2\n2.5\n3"}, modeltest.Object{"old": "end", "new": "END"}))),
		heard(asking(edit(modeltest.Object{"old": "same", "new": "x"}), edit(modeltest.Object{"old": "2.5\n", "new": ""}, modeltest.Object{"old": "gone", "new": "x"}))),
		heard(func([]modeltest.Result) []modeltest.Call {
			assert.NoError(t, os.WriteFile(path, []byte("changed\r\nsame"), 0o600))
			return []modeltest.Call{edit(modeltest.Object{"old": "same", "new": "x"}), modeltest.Use("write", modeltest.Object{"path": "crlf.txt", "content": "x"})}
		}),
		heard(asking(modeltest.Use("read", modeltest.Object{"path": "crlf.txt"}))),
		heard(asking(edit(modeltest.Object{"old": "changed", "new": "one\ntwo"}))),
		heard(asking(modeltest.Use("list", modeltest.Object{}))),
	))
	path = filepath.Join(s.Dir, "crlf.txt")
	require.NoError(t, os.WriteFile(path, []byte("\uFEFFone\r\ntwo\r\nthree\r\nsame\r\nsame\r\nend"), 0o600))
	requireDone(t, s)
	for i, want := range []string{
		"     1\tone\n     2\ttwo\n     3\tthree\n     4\tsame\n     5\tsame\n     6\tend\n[line ends are CRLF, which edit keeps]\n",
		"Edited crlf.txt: 2 replacements at lines 2, 7 (+4 -3 lines).",
		"crlf.txt was not changed: edits[0].old is there 2 times, at lines 5, 6: include the lines around the one you mean, or set all to replace every one",
		"crlf.txt was not changed: edits[1].old is not in the file",
		"crlf.txt has changed since you read it, so nothing was written: read it again",
		"crlf.txt has changed since you read it, so nothing was written: read it again",
		"     1\tchanged\n     2\tsame\n",
		"Edited crlf.txt: 1 replacement at line 1 (+2 -1 lines).",
	} {
		require.Contains(t, said[i], want)
	}
	held, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one\r\ntwo\r\nsame", string(held))
}

// pathIn finds where the whole of a result is.
func pathIn(text string) string { return regexp.MustCompile(`/\S+/outputs/\S+\.txt`).FindString(text) }

func TestOutputBeyondWhatIsKeptIsCutAndCanBeReadAfterwards(t *testing.T) {
	t.Parallel()
	var whole, path string
	s := harness.NewStage(t, modeltest.Anthropic(), inSteps(
		asking(modeltest.Use("shell", modeltest.Object{"command": "echo first; yes $(printf %0999d 7) | head -c 80M; echo; echo last"})),
		func(results []modeltest.Result) []modeltest.Call {
			whole = results[0].Text
			path = pathIn(whole)
			return []modeltest.Call{
				modeltest.Use("read", modeltest.Object{"path": path, "limit": 1}), modeltest.Use("grep", modeltest.Object{"path": path, "pattern": "Pawl stopped"}),
				modeltest.Use("write", modeltest.Object{"path": path, "content": "x"}),
			}
		},
	))
	r := requireDone(t, s)
	require.True(t, strings.HasPrefix(whole, "first\n000"))
	require.True(t, strings.HasSuffix(whole, "000\nlast\n[exit code 0]"))
	require.Regexp(t, `\n\[… \d+ of 83886092 bytes of output are left out here; its first 64\.0 MB are in /.* …\]\n`, whole)
	require.LessOrEqual(t, len([]rune(whole)), 30_000)
	got := lastResults(t, s)
	require.Contains(t, got[0].Text, "     1\tfirst\n")
	require.Contains(t, got[1].Text, "[Pawl stopped keeping this output here")
	require.Contains(t, got[2].Text, "is in the folder of kept outputs, which is read-only")
	require.True(t, got[2].IsError)
	require.Equal(t, filepath.Join(s.Home, "data", "outputs", r.Session), filepath.Dir(path))

	_, errs, code := harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code, errs)
	require.NoDirExists(t, filepath.Dir(path))
}

func TestOutputsOfASubagentAreTheSessionsAndThoseOfGoneSessionsAreSwept(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("count") && h.Answered("shell"):
			return modeltest.Say("All of it is in " + pathIn(h.ResultsOf("shell")[0]))
		case h.Child("count"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "seq 100000"}))
		case h.Answered("read"):
			return modeltest.Say("That was all.")
		case h.Answered("agent"):
			var calls []modeltest.Call
			for _, text := range h.ResultsOf("agent") {
				calls = append(calls, modeltest.Use("read", modeltest.Object{"path": pathIn(text), "offset": 77_777, "limit": 1}))
			}
			return modeltest.Do(calls...)
		}
		return modeltest.Do(modeltest.Isolated("in a process", "count up", false), modeltest.Delegate("in this one", "count up"))
	})
	gone, foreign := filepath.Join(s.Home, "data", "outputs", uuid.NewString()), filepath.Join(s.Home, "data", "outputs", "notes")
	require.NoError(t, os.MkdirAll(gone, 0o700))
	require.NoError(t, os.MkdirAll(foreign, 0o700))
	requireDone(t, s)
	read := lastResults(t, s)
	require.Len(t, read, 2)
	for _, r := range read {
		require.Contains(t, r.Text, "77777\t77777\n")
	}
	require.NoDirExists(t, gone)
	require.DirExists(t, foreign)
}
