package stories

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// examined runs pawl doctor both ways, which must agree, and gives what people see
// and the problems.
func examined(t *testing.T, s *harness.Stage, want int) (text string, d doctorReport) {
	t.Helper()
	text, errs, code := harness.Run(t, s.Dir, s.Env, "doctor")
	require.Equal(t, want, code, text+errs)
	require.Empty(t, errs)
	encoded, errs, code := harness.Run(t, s.Dir, s.Env, "doctor", "--json")
	require.Equal(t, want, code, encoded+errs)
	require.Empty(t, errs)
	require.NoError(t, json.Unmarshal([]byte(encoded), &d))
	require.Equal(t, want == 0, d.OK)
	require.Equal(t, want == 0, len(d.Problems) == 0)
	require.True(t, strings.HasSuffix(text, "\n"+d.Next+"\n"), "one sentence to act on stands at the end")
	for _, problem := range d.Problems {
		require.Contains(t, text, "✗ "+problem+"\n", "a problem is one line at the end")
	}
	for _, secret := range []string{modeltest.Key, s.Server.URL} {
		require.NotContains(t, text+encoded, secret)
	}
	return text, d
}

// doctored is a stage on which one prompt has been answered.
func doctored(t *testing.T) *harness.Stage {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "are you there?")...)
	require.Equal(t, 0, code, errs)
	return s
}

func TestDoctorFindsAFreshHomeWell(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	text, d := examined(t, s, 0)
	require.Contains(t, text, "Everything Pawl needs is there.")
	require.Equal(t, "ok", d.finding(t, "Models", "ANTHROPIC_API_KEY").Level)
	require.Contains(t, d.finding(t, "Models", "in use").Says, "anthropic/")
	require.Equal(t, doctorFinding{
		Name: "anthropic", Level: "note", Says: "it answers, with 2 models", Do: "claude-sonnet-5-5 is not one of them; pawl models lists them", Value: 2.0,
		More: []string{"anthropic, the address in ANTHROPIC_BASE_URL; key: ANTHROPIC_API_KEY"},
	}, d.finding(t, "Models", "anthropic"))
	require.Equal(t, "ok", d.finding(t, "Models", "gemini").Level)
	require.NotEmpty(t, d.finding(t, "Sandbox", "commands").Says)
	require.Contains(t, d.finding(t, "Terminal", "output").Says, "not a terminal")
	require.Contains(t, d.finding(t, "Database", "file").Says, "none yet")
	require.NotEmpty(t, d.finding(t, "Processes", "guard").Says)
	require.NotEmpty(t, d.finding(t, "Processes", "tools").Says)
	left, err := filepath.Glob(filepath.Join(s.Home, "data", "*"))
	require.NoError(t, err)
	require.Empty(t, left, "a look makes no database")

	for _, name := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST"} {
		s.With(name + "=")
	}
	_, d = examined(t, s, 0)
	require.Contains(t, d.finding(t, "Models", "in use").Says, "demo")
	s.With("PAWL_MODEL=openai/x")
	_, d = examined(t, s, 1)
	require.Contains(t, d.Problems[0], "OPENAI_API_KEY")
}

func TestDoctorNamesWhatIsBroken(t *testing.T) {
	for name, row := range map[string]struct {
		breakIt func(t *testing.T, s *harness.Stage)
		wants   []string
	}{
		"a broken settings file": {func(t *testing.T, s *harness.Stage) {
			require.NoError(t, os.MkdirAll(filepath.Join(s.Home, "config"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), []byte("\nmodle = \""+modeltest.Key+"\""), 0o600))
		}, []string{"config.toml:2", `"modle"`, `"model"`}},
		"a variable that is none": {func(_ *testing.T, s *harness.Stage) { s.With("PAWL_DEMO_PACE=fast") }, []string{"demo.pace", "fast"}},
		"a key where a number stands": {
			func(_ *testing.T, s *harness.Stage) { s.With("PAWL_SUBAGENTS_MAX_BACKGROUND=" + modeltest.Key) },
			[]string{"PAWL_SUBAGENTS_MAX_BACKGROUND", "[masked]"},
		},
		"a name of 20,000 parts": {func(_ *testing.T, s *harness.Stage) {
			require.NoError(t, os.MkdirAll(filepath.Join(s.Home, "config"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), []byte("a"+strings.Repeat(".a", 20_000)+" = 1"), 0o600))
		}, []string{"config.toml:1", "unknown setting", "fix it"}},
		"a home that moves":       {func(_ *testing.T, s *harness.Stage) { s.With("PAWL_HOME=here") }, []string{"PAWL_HOME=here is not a full path"}},
		"a model that nobody has": {func(_ *testing.T, s *harness.Stage) { s.With("PAWL_MODEL=antropic/x") }, []string{"antropic/x", "anthropic/"}},
		"a file that is no database": {func(t *testing.T, s *harness.Stage) {
			overwrite(t, s.Database(), 0, "This is a letter, not a database.")
		}, []string{"pawl.db", "damaged", "move it away"}},
		"a damaged page": {func(t *testing.T, s *harness.Stage) {
			overwrite(t, s.Database(), 4096+5, strings.Repeat("\xff", 3*4096))
		}, []string{"pawl.db", "damaged", "move it away"}},
		"a database of a newer Pawl": {func(t *testing.T, s *harness.Stage) { overwrite(t, s.Database(), 60, "\x00\x00\x00\x63") }, []string{"pawl.db", "newer Pawl", "update Pawl"}},
		"a folder where a file stood": {func(t *testing.T, s *harness.Stage) {
			require.NoError(t, os.Remove(s.Database()))
			require.NoError(t, os.Mkdir(s.Database(), 0o700))
		}, []string{"pawl.db"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := doctored(t)
			row.breakIt(t, s)
			before, _ := os.ReadFile(s.Database())
			_, d := examined(t, s, 1)
			require.Len(t, d.Problems, 1, d.Problems)
			require.Less(t, len(d.Problems[0]), 1500, "a line that can be read")
			for _, want := range row.wants {
				require.Contains(t, d.Problems[0], want)
			}
			after, _ := os.ReadFile(s.Database())
			require.Equal(t, before, after, "it is left as it is")
		})
	}
}

// Of several things that could be done the sentence names one: what is broken before a missing
// model, and that before what can wait.
func TestDoctorEndsWithTheMostImportantNextAct(t *testing.T) {
	t.Parallel()
	configured := func(text string) func(*testing.T, *harness.Stage) {
		return func(t *testing.T, s *harness.Stage) { s.Configured(t, text) }
	}
	with := func(variables ...string) func(*testing.T, *harness.Stage) {
		return func(_ *testing.T, s *harness.Stage) { s.With(variables...) }
	}
	for want, arrange := range map[string]func(*testing.T, *harness.Stage){
		"^Nothing to do: start with pawl\\.$": with(),
		"^Next: run pawl login anthropic \\(or openai, gemini\\), for no provider has a key and pawl would play its demo\\.$": func(t *testing.T, s *harness.Stage) {
			with("ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "GEMINI_API_KEY=", "OLLAMA_HOST=")(t, s)
			require.NoError(t, os.Remove(s.Database())) // so no model was the last
			crashed(t, s)
		},
		"^Next: set ANTHROPIC_API_KEY, or run pawl login anthropic, for anthropic/claude-loopback-1 cannot be asked without\\.$": with("ANTHROPIC_API_KEY="),
		"^Next: set ANTHROPIC_API_KEY to a valid key, .*, for anthropic: the key was refused: .*\\.$": func(_ *testing.T, s *harness.Stage) {
			s.Server.Takes("another")
		},
		`^Next: name another model in the model setting .*: "antropic/x" is not one of them\.$`:         with("PAWL_MODEL=antropic/x"),
		"^Next: name a model of anthropic that is there .*, for it has no claude-none\\.$":              with("PAWL_MODEL=anthropic/claude-none"),
		`^Next: mend the settings, for Pawl does not start with them: .*config\.toml:1: .*"modle".*\.$`: configured(`modle = "x"`),
		"^Next: mend database, file: .*pawl\\.db.*damaged.*\\.$":                                        func(t *testing.T, s *harness.Stage) { overwrite(t, s.Database(), 0, "a letter") },
		"^Next: open pawl here and say whether you trust \\.pawl/config\\.toml, for until then it is not used": func(t *testing.T, s *harness.Stage) {
			require.NoError(t, os.MkdirAll(filepath.Join(s.Dir, ".pawl"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(s.Dir, ".pawl", "config.toml"), []byte("permission_mode = \"plan\""), 0o600))
			crashed(t, s)
		},
		"^Next: look at the MCP server broken, for it does not start\\.$": configured("[mcp.broken]\ncommand = [\"false\"]"),
		"^Next: read .*crash\\.log, for it says what crashed Pawl":        crashed,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := doctored(t)
			arrange(t, s)
			out, _, _ := harness.Run(t, s.Dir, s.Env, "doctor", "--json")
			var d doctorReport
			require.NoError(t, json.Unmarshal([]byte(out), &d))
			require.Regexp(t, want, d.Next)
			require.NotContains(t, d.Next, "\n")
			_, _ = examined(t, s, map[bool]int{true: 0, false: 1}[d.OK])
		})
	}
}

// crashed leaves the trace of a crash.
func crashed(t *testing.T, s *harness.Stage) {
	require.NoError(t, os.WriteFile(filepath.Join(s.Home, "state", "crash.log"), []byte("panic"), 0o600))
}

// overwrite changes bytes in the middle of a file.
func overwrite(t *testing.T, path string, at int64, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt([]byte(text), at)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

func TestDoctorTellsOfTheTerminalItRunsOn(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	x := harness.StartSized(t, 90, 90, s.Dir, s.Env, "doctor")
	require.Equal(t, 0, x.Wait())
	x.See("90×90", "xterm-256color", "UTF-8", "Everything Pawl needs is there.")
	x = harness.StartSized(t, 60, 120, s.Dir, append(s.Env, "LANG=C", "NO_COLOR=1"), "doctor")
	require.Equal(t, 0, x.Wait())
	x.See("60x120", "ASCII alone", "none", "Everything Pawl needs is there.")
	require.NotContains(t, x.Raw(), "\x1b[")
	for _, r := range x.Raw() {
		require.Less(t, r, rune(0x7f))
	}
}

func TestDoctorKnowsWhichSessionsAreDrivenAndWhichWereCutOff(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	})
	x := s.Open(t)
	x.Prompt("go on for ever")
	x.See("I have just begun")
	_, d := examined(t, s, 0)
	driven := d.finding(t, "Sessions", "in use")
	require.Contains(t, driven.Says, "go on for ever")
	require.Regexp(t, `by process \d+`, driven.Says)
	x.Crash()

	text, d := examined(t, s, 0)
	require.NotContains(t, text, "in use by")
	cut := d.finding(t, "Sessions", "interrupted")
	require.Contains(t, cut.Says, "1 run that a dead process left")
	require.Contains(t, cut.Do, "pawl --session "+cut.Value.(string))
	require.Equal(t, "Next: run pawl --session "+cut.Value.(string)+", for its process died at work and it can go on.", d.Next)
	x = s.Open(t, "--session", cut.Value.(string))
	x.See("interrupted")
	x.Prompt("and now?") // its model never answers
	x.Crash()
}

func TestDoctorFindsProcessesAndTracesThatWereLeft(t *testing.T) {
	s := doctored(t)
	list, _, _ := harness.Run(t, s.Dir, s.Env, "sessions")
	story, errs, code := harness.Run(t, s.Dir, s.Env, "export", strings.Fields(list)[0], "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var exported struct{ Runs []struct{ ID, Run string } }
	require.NoError(t, json.Unmarshal([]byte(story), &exported))
	ended := exported.Runs[0].ID + exported.Runs[0].Run // whichever it is called

	stray := exec.CommandContext(t.Context(), "sleep", "1000")
	stray.Env = []string{"PAWL_RUN=" + ended}
	require.NoError(t, stray.Start())
	defer func() {
		require.NoError(t, stray.Process.Kill())
		_ = stray.Wait() // it was killed
	}()
	crashed(t, s)
	require.NoError(t, os.WriteFile(filepath.Join(s.Home, "state", "crash-2.log"), nil, 0o600))

	_, d := examined(t, s, 0)
	left := d.finding(t, "Processes", "left over")
	require.Equal(t, "note", left.Level)
	require.Contains(t, left.Says, strconv.Itoa(stray.Process.Pid)+" (sleep)")
	require.Contains(t, left.Do, "kill "+strconv.Itoa(stray.Process.Pid))
	require.Equal(t, "Next: run kill "+strconv.Itoa(stray.Process.Pid)+", for sleep still runs and its session does not.", d.Next)
	crashes := d.finding(t, "Processes", "crashes")
	require.Contains(t, crashes.Says, "crash.log")
	require.NotContains(t, crashes.Says, "crash-2", "an empty one is no trace")
}
