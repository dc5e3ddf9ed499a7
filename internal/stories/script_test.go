package stories

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// TestScripts plays the stories of testdata/script, which need no terminal: the commands
// that a person would type, and what they then see. Beside testscript's own words they
// have these:
//
//	exits CODE COMMAND…   the command ends with that exit code
//	oneline               what it said on standard error is one line, without a stack trace
//	session NAME          puts the id of the newest session into a variable
//	heard TEXT            a model was sent that
//	asked NUMBER          models were asked so often
//
// A file named model says what the model answers: see scriptedModel.
func TestScripts(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		path, err := harness.Binary()
		require.NoError(t, err)
		testscript.Run(t, testscript.Params{
			Dir: "testdata/script",
			Setup: func(env *testscript.Env) error {
				tb := env.T().(testing.TB) // as testscript promises
				answers, err := takeModel(env.WorkDir)
				if err != nil {
					return err
				}
				spoken := p
				if !soaktest.Wanted() {
					spoken = modeltest.ProtocolFor(tb.Name())
				}
				s := harness.NewStageIn(tb, env.WorkDir, spoken, answers)
				for _, variable := range append(s.Env, "PAWL_MODEL="+s.Model) {
					name, value, _ := strings.Cut(variable, "=")
					env.Setenv(name, value)
				}
				env.Setenv("PATH", filepath.Dir(path)+string(filepath.ListSeparator)+os.Getenv("PATH"))
				env.Values[stageKey{}] = s
				return nil
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits": exits, "oneline": oneLine, "session": session, "heard": heard, "asked": askedTimes,
			},
		})
	})
}

// stageKey is where a script's stage is found.
type stageKey struct{}

func stageOfScript(ts *testscript.TestScript) *harness.Stage {
	return ts.Value(stageKey{}).(*harness.Stage)
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if neg || code != want {
		ts.Fatalf("it ended with exit code %d", code)
	}
}

func oneLine(ts *testscript.TestScript, _ bool, _ []string) {
	said := ts.ReadFile("stderr")
	for _, never := range []string{"goroutine ", "panic", modeltest.Key} {
		if strings.Contains(said, never) {
			ts.Fatalf("it said %q", never)
		}
	}
	if strings.Count(said, "\n") != 1 {
		ts.Fatalf("not one line")
	}
}

func session(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("pawl", "sessions"))
	ts.Setenv(args[0], strings.Fields(ts.ReadFile("stdout"))[0])
}

func heard(ts *testscript.TestScript, neg bool, args []string) {
	found := stageOfScript(ts).Server.All(func(h modeltest.Request) bool { return strings.Contains(wordsOf(h), args[0]) })
	if neg != (len(found) == 0) {
		ts.Fatalf("%d requests hold that", len(found))
	}
}

// wordsOf is all that a request tells the model.
func wordsOf(h modeltest.Request) string {
	words := []string{h.System}
	for _, m := range h.Messages {
		words = append(words, m.Text)
		for _, r := range m.Results {
			words = append(words, r.Text)
		}
	}
	return strings.Join(words, "\n")
}

func askedTimes(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if found := len(stageOfScript(ts).Server.All(func(modeltest.Request) bool { return true })); found != want {
		ts.Fatalf("it was asked %d times", found)
	}
}
