package stories

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// streamLine is a line of stream-json, as far as the stories read it.
type streamLine struct {
	raw, Type, Event, Session, ID, Error, Message string
	OK, Later                                     bool
	Data                                          struct{ State, Cause, Question, Parent, Subject, By string }
}

func readStreamLine(t testing.TB, text string) streamLine {
	t.Helper()
	one := streamLine{raw: text}
	require.NoError(t, json.Unmarshal([]byte(text), &one), text)
	return one
}

// streamLineSchema is the documented schema of a line.
func streamLineSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	load := func(path string) *jsonschema.Schema {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal(text, &schema))
		return &schema
	}
	resolved, err := load("export/jsondoc/stream.schema.json").Resolve(&jsonschema.ResolveOptions{
		Loader: func(*url.URL) (*jsonschema.Schema, error) { return load("export/jsondoc/schema.json"), nil },
	})
	require.NoError(t, err)
	return resolved
}

// streamed runs one prompt with stream-json and gives its lines, each held to the schema.
func streamed(t *testing.T, s *harness.Stage, args ...string) ([]streamLine, int) {
	t.Helper()
	return streamedBy(t, s, s.Flags(append([]string{"--output-format", "stream-json"}, args...)...)...)
}

// streamedBy is streamed with these arguments alone.
func streamedBy(t *testing.T, s *harness.Stage, args ...string) ([]streamLine, int) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
	require.Empty(t, errs)
	schema := streamLineSchema(t)
	var lines []streamLine
	for text := range strings.Lines(out) {
		require.True(t, strings.HasSuffix(text, "\n"), "half a line: %q", text)
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		require.NoError(t, schema.Validate(value), text)
		lines = append(lines, readStreamLine(t, strings.TrimSuffix(text, "\n")))
	}
	return lines, code
}

func TestAStreamIsTheRecordsOfTheExportBetweenFactsAndResult(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("count"):
			return modeltest.Say("One function; the key is ", modeltest.Key[:9], modeltest.Key[9:], ".")
		case h.Answered("agent"):
			return modeltest.Say("There is one.")
		}
		return modeltest.Do(modeltest.Delegate("count functions", "count the functions"))
	})
	lines, code := streamed(t, s, "--include-partial-messages", "-p", "how many?")
	require.Equal(t, 0, code)
	first, last := lines[0], lines[len(lines)-1]
	require.Equal(t, "opening", first.Type)
	require.Contains(t, first.raw, `"model":"`+s.Model+`"`)
	require.Equal(t, "result", last.Type)
	var r harness.Report
	require.NoError(t, json.Unmarshal([]byte(last.raw), &r))
	require.Equal(t, []any{"completed", "There is one.", 0, first.Session}, []any{r.Status, r.Output, r.ExitCode, r.Session})
	require.Equal(t, "completed", r.Subagents[0].Status)

	text, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var document struct{ Records []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	var exported, told []string
	for _, rec := range document.Records {
		exported = append(exported, string(rec))
	}
	for _, line := range lines {
		require.NotContains(t, line.raw, modeltest.Key)
		require.Equal(t, line.Type == "record", line.Event != "", line.raw)
		if line.Type == "record" {
			told = append(told, "{"+strings.TrimPrefix(line.raw, `{"type":"record",`))
		}
	}
	require.Equal(t, exported, told, "byte for byte")
}

func TestAnotherProgramHoldsAWholeConversation(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Asked("once more"):
			return modeltest.Say("The bottom is stone.")
		case h.Child("dig"):
			return modeltest.Say("I have just begun").Until(make(chan struct{}))
		case h.Answered("shell"):
			return modeltest.Say("Done with the shell.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		case h.Asked("run it"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		case h.Asked("send one"):
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		}
		return modeltest.Say("I have heard.")
	})
	p := newPartner(t, s)
	asked := func(l streamLine) bool { return l.Event == "permission_asked" }
	p.say(modeltest.Object{"type": "message", "text": "run it"})
	p.say(modeltest.Object{"type": "answer", "question": p.until("question", asked).Data.Question, "answer": "no", "reason": "not yet"})
	p.idle()
	require.NoFileExists(t, s.Dir+"/made.txt")
	require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "not yet")
	p.say(modeltest.Object{"type": "message", "text": "now run it"})
	p.say(modeltest.Object{"type": "answer", "question": p.until("question", asked).Data.Question, "answer": "once", "id": "yes"})
	p.replied("yes")
	p.idle()
	require.FileExists(t, s.Dir+"/made.txt")

	p.say(modeltest.Object{"type": "message", "text": "send one"})
	dig := p.until("subagent", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session
	ended := func(state string) func(streamLine) bool {
		return func(l streamLine) bool { return l.Session == dig && l.Event == "ended" && l.Data.State == state }
	}
	p.until("the parent's answer", func(l streamLine) bool { return l.Session != dig && l.Event == "ended" }) // else its step takes the stop in
	s.Server.Await(t, modeltest.FromChild("dig"))
	p.say(modeltest.Object{"type": "stop", "session": dig, "id": "stop"})
	require.Equal(t, "command", p.until("its end", ended("canceled_by_user")).Data.Cause)
	p.idle()
	p.say(modeltest.Object{"type": "message", "session": dig, "text": "once more"})
	p.until("its second end", ended("completed"))
	p.idle()
	p.say(modeltest.Object{"type": "massage", "text": "?", "id": "wrong"})
	wrong := p.until("reply to what is wrong", func(l streamLine) bool { return l.ID == "wrong" })
	require.Equal(t, `unknown type "massage"; did you mean "message"?`, wrong.Error)
	r, code := p.hangsUp()
	require.Equal(t, 0, code, "its latest run is what counts")
	require.Equal(t, []string{"I have heard.", "The bottom is stone."}, []string{r.Output, r.Subagents[0].Output})
}

func TestTheEndOfTheInputDeniesWhatIsStillAsked(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("Then not.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
	})
	p := newPartner(t, s, "run it")
	p.until("question", func(l streamLine) bool { return l.Event == "permission_asked" })
	r, code := p.hangsUp()
	require.Equal(t, 0, code)
	require.Equal(t, "Then not.", r.Output)
	require.Equal(t, "nobody", r.Denials[0].By)
	require.NoFileExists(t, s.Dir+"/made.txt")
}

func TestASignalStopsAStreamAndItsResultSaysSo(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]struct {
		code  int
		state string
	}{syscall.SIGINT: {130, "canceled_by_user"}, syscall.SIGTERM: {143, "interrupted"}, syscall.SIGHUP: {129, "interrupted"}} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := endlessDig(t, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
			p := newPartner(t, s, "send one")
			s.Server.Await(t, modeltest.FromChild("dig"))
			require.NoError(t, p.cmd.Process.Signal(signal))
			r, code := p.hangsUp()
			require.Equal(t, want.code, code)
			require.Equal(t, want.state, r.Subagents[0].Status)
		})
	}
}

// The first asks for the end, which here waits for a reader that is asleep; the second
// does not ask.
func TestASecondSignalEndsAPromptAtOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.").Until(make(chan struct{})) })
	cmd := s.Command(t, "-p", "go", "--output-format", "stream-json")
	from, to, err := os.Pipe()
	require.NoError(t, err)
	defer from.Close()
	raw, err := to.SyscallConn()
	require.NoError(t, err)
	var full error
	require.NoError(t, raw.Control(func(fd uintptr) {
		for full == nil {
			_, full = syscall.Write(int(fd), []byte{0}) // as much as the pipe holds
		}
	}))
	require.ErrorIs(t, full, syscall.EAGAIN)
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = to, &errs
	require.NoError(t, cmd.Start())
	require.NoError(t, to.Close())
	h := s.Server.Await(t, modeltest.FromParent)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	s.Server.AwaitLeft(t, h)
	<-time.After(time.Second) // two within half a second are one
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	harness.WaitEnd(t, cmd)
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
	require.Empty(t, errs.String(), "nobody was waited for")
}

// A reader that goes away is no crash: what runs is stopped, and recorded.
func TestAClosedOutputEndsPawlInOrder(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "stream-json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here ").Until(release, "I am.") })
			cmd := s.Command(t, "-p", "go", "--output-format", format)
			from, to, err := os.Pipe()
			require.NoError(t, err)
			var errs strings.Builder
			cmd.Stdout, cmd.Stderr = to, &errs
			require.NoError(t, cmd.Start())
			require.NoError(t, to.Close())
			s.Server.Await(t, modeltest.FromParent)
			syscall.ForkLock.RLock() // a program that another test is just starting has it open too, for a moment
			require.NoError(t, from.Close())
			syscall.ForkLock.RUnlock()
			close(release)
			harness.WaitEnd(t, cmd)
			require.Equal(t, 141, cmd.ProcessState.ExitCode(), errs.String())
			require.Empty(t, errs.String())
			out, said, code := harness.Run(t, s.Dir, s.Env, "sessions")
			require.Equal(t, 0, code, said)
			require.NotContains(t, out, "running")
		})
	}
}
