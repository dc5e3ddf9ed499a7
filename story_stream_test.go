package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

// streamLine is a line of stream-json, as far as the stories read it.
type streamLine struct {
	raw, Type, Event, Session, ID, Error string
	OK                                   bool
	Data                                 struct{ State, Cause, Question, Parent, Subject string }
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
	resolved, err := load("export/stream.schema.json").Resolve(&jsonschema.ResolveOptions{
		Loader: func(*url.URL) (*jsonschema.Schema, error) { return load("export/schema.json"), nil },
	})
	require.NoError(t, err)
	return resolved
}

// streamed runs one prompt with stream-json and gives its lines, each held to the schema.
func (s *stage) streamed(t *testing.T, args ...string) ([]streamLine, int) {
	t.Helper()
	out, errs, code := run(t, s.dir, s.env, s.flags(append([]string{"--output-format", "stream-json"}, args...)...)...)
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
	s := set(t, chatProtocol(), func(h heard) reply {
		switch {
		case h.child("count"):
			return say("One function; the key is ", rightKey[:9], rightKey[9:], ".")
		case h.answered("agent"):
			return say("There is one.")
		}
		return do(delegate("count functions", "count the functions"))
	})
	lines, code := s.streamed(t, "--include-partial-messages", "-p", "how many?")
	require.Equal(t, 0, code)
	first, last := lines[0], lines[len(lines)-1]
	require.Equal(t, "opening", first.Type)
	require.Contains(t, first.raw, `"model":"`+s.model+`"`)
	require.Equal(t, "result", last.Type)
	var r report
	require.NoError(t, json.Unmarshal([]byte(last.raw), &r))
	require.Equal(t, []any{"completed", "There is one.", 0, first.Session}, []any{r.Status, r.Output, r.ExitCode, r.Session})
	require.Equal(t, "completed", r.Subagents[0].Status)

	text, errs, code := run(t, s.dir, s.env, "export", r.Session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var document struct{ Records []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	var exported, told []string
	for _, rec := range document.Records {
		exported = append(exported, string(rec))
	}
	for _, line := range lines {
		require.NotContains(t, line.raw, rightKey)
		if line.Event != "" {
			told = append(told, line.raw)
		}
	}
	require.Equal(t, exported, told, "byte for byte")
}

// partner is another program that talks to Pawl.
type partner struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan streamLine
	seen  []streamLine
}

func (s *stage) partner(t *testing.T, args ...string) *partner {
	t.Helper()
	cmd := s.command(t, append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json"}, args...)...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	p := &partner{t: t, cmd: cmd, in: in, lines: make(chan streamLine, 1000)}
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			line := streamLine{raw: scan.Text()}
			if json.Unmarshal(scan.Bytes(), &line) == nil {
				p.lines <- line
			}
		}
	}()
	return p
}

func (p *partner) say(line object) {
	p.t.Helper()
	text, err := json.Marshal(line)
	require.NoError(p.t, err)
	_, err = p.in.Write(append(text, '\n'))
	require.NoError(p.t, err)
}

// until reads on to the first line that matches.
func (p *partner) until(what string, match func(streamLine) bool) streamLine {
	p.t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, more := <-p.lines:
			require.True(p.t, more, "the stream ended before %s:\n%v", what, p.seen)
			p.seen = append(p.seen, line)
			if match(line) {
				return line
			}
		case <-late:
			require.FailNow(p.t, "no "+what, "%v", p.seen)
		}
	}
}

func (p *partner) idle() {
	p.t.Helper()
	p.until("idle", func(l streamLine) bool { return l.Type == "idle" })
}

// replied reads on to the reply to a line with this id, and holds it to be a yes.
func (p *partner) replied(id string) {
	p.t.Helper()
	line := p.until("reply to "+id, func(l streamLine) bool { return l.Type == "reply" && l.ID == id })
	require.True(p.t, line.OK, line.raw)
}

// hangsUp ends the conversation and gives the result and the exit code.
func (p *partner) hangsUp() (report, int) {
	p.t.Helper()
	require.NoError(p.t, p.in.Close())
	line := p.until("result", func(l streamLine) bool { return l.Type == "result" })
	var r report
	require.NoError(p.t, json.Unmarshal([]byte(line.raw), &r))
	waitEnd(p.t, p.cmd)
	require.Equal(p.t, r.ExitCode, p.cmd.ProcessState.ExitCode())
	return r, r.ExitCode
}

func TestAnotherProgramHoldsAWholeConversation(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.asked("once more"):
			return say("The bottom is stone.")
		case h.child("dig"):
			return say("I have just begun").until(make(chan struct{}))
		case h.answered("shell"):
			return say("Done with the shell.")
		case h.answered("agent"):
			return say("It is on its way.")
		case h.asked("run it"):
			return do(use("shell", object{"command": "echo ran > made.txt"}))
		case h.asked("send one"):
			return do(launch("a dig", "dig to the bottom"))
		}
		return say("I have heard.")
	})
	p := s.partner(t)
	asked := func(l streamLine) bool { return l.Event == "permission_asked" }
	p.say(object{"type": "message", "text": "run it"})
	p.say(object{"type": "answer", "question": p.until("question", asked).Data.Question, "answer": "no", "reason": "not yet"})
	p.idle()
	require.NoFileExists(t, s.dir+"/made.txt")
	require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "not yet")
	p.say(object{"type": "message", "text": "now run it"})
	p.say(object{"type": "answer", "question": p.until("question", asked).Data.Question, "answer": "once", "id": "yes"})
	p.replied("yes")
	p.idle()
	require.FileExists(t, s.dir+"/made.txt")

	p.say(object{"type": "message", "text": "send one"})
	dig := p.until("subagent", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session
	ended := func(state string) func(streamLine) bool {
		return func(l streamLine) bool { return l.Session == dig && l.Event == "ended" && l.Data.State == state }
	}
	s.server.await(t, fromChild("dig"))
	p.say(object{"type": "stop", "session": dig, "id": "stop"})
	require.Equal(t, "command", p.until("its end", ended("canceled_by_user")).Data.Cause)
	p.idle()
	p.say(object{"type": "message", "session": dig, "text": "once more"})
	p.until("its second end", ended("completed"))
	p.idle()
	p.say(object{"type": "massage", "text": "?", "id": "wrong"})
	wrong := p.until("reply to what is wrong", func(l streamLine) bool { return l.ID == "wrong" })
	require.Equal(t, `unknown type "massage"; did you mean "message"?`, wrong.Error)
	r, code := p.hangsUp()
	require.Equal(t, 0, code, "its latest run is what counts")
	require.Equal(t, []string{"I have heard.", "The bottom is stone."}, []string{r.Output, r.Subagents[0].Output})
}

func TestTheEndOfTheInputDeniesWhatIsStillAsked(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(h heard) reply {
		if h.answered("shell") {
			return say("Then not.")
		}
		return do(use("shell", object{"command": "echo ran > made.txt"}))
	})
	p := s.partner(t, "run it")
	p.until("question", func(l streamLine) bool { return l.Event == "permission_asked" })
	r, code := p.hangsUp()
	require.Equal(t, 0, code)
	require.Equal(t, "Then not.", r.Output)
	require.Equal(t, "nobody", r.Denials[0].By)
	require.NoFileExists(t, s.dir+"/made.txt")
}

func TestASignalStopsAStreamAndItsResultSaysSo(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]struct {
		code  int
		state string
	}{syscall.SIGINT: {130, "canceled_by_user"}, syscall.SIGTERM: {143, "interrupted"}, syscall.SIGHUP: {129, "interrupted"}} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := digging(t, func(heard) reply { return surprised() })
			p := s.partner(t, "send one")
			s.server.await(t, fromChild("dig"))
			require.NoError(t, p.cmd.Process.Signal(signal))
			r, code := p.hangsUp()
			require.Equal(t, want.code, code)
			require.Equal(t, want.state, r.Subagents[0].Status)
		})
	}
}

// A reader that goes away is no crash: what runs is stopped, and recorded.
func TestAClosedOutputEndsPawlInOrder(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "stream-json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := set(t, chatProtocol(), func(heard) reply { return say("Here ").until(release, "I am.") })
			cmd := s.command(t, "-p", "go", "--output-format", format)
			from, to, err := os.Pipe()
			require.NoError(t, err)
			var errs strings.Builder
			cmd.Stdout, cmd.Stderr = to, &errs
			require.NoError(t, cmd.Start())
			require.NoError(t, to.Close())
			s.server.await(t, fromParent)
			require.NoError(t, from.Close())
			close(release)
			waitEnd(t, cmd)
			require.Equal(t, 141, cmd.ProcessState.ExitCode(), errs.String())
			require.Empty(t, errs.String())
			out, said, code := run(t, s.dir, s.env, "sessions")
			require.Equal(t, 0, code, said)
			require.NotContains(t, out, "running")
		})
	}
}

func TestWhatAStreamNeedsIsSaid(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return surprised() })
	for want, args := range map[string][]string{
		"needs --output-format stream-json: its": {"--input-format", "stream-json", "-p"},
		"--include-partial-messages needs":       {"--include-partial-messages", "-p", "go"},
		"nothing was asked":                      {"--input-format", "stream-json", "--output-format", "stream-json", "-p"},
	} {
		_, errs, code := run(t, s.dir, s.env, s.flags(args...)...)
		require.Equal(t, 2, code, errs)
		requireOneLine(t, errs)
		require.Contains(t, errs, want)
	}
}

// The exit code of every way in which a prompt can end, but for those that other
// stories tell: time limits, signals, usage.
func TestTheExitCodeIsTrueHoweverAPromptEnds(t *testing.T) {
	t.Parallel()
	broken := fault(403, "this key may not use the model")
	for name, row := range map[string]struct {
		parent, child reply
		code          int
		states        []string
	}{
		"done":                        {say("Done."), say("Found."), 0, []string{"completed", "completed"}},
		"its subagent failed":         {say("It failed."), broken, 3, []string{"completed", "failed"}},
		"its subagent was empty":      {say("Nothing."), nothing(), 3, []string{"completed", "completed_empty"}},
		"it failed":                   {broken, say("Found."), 1, []string{"failed", "completed"}},
		"it was empty":                {nothing(), say("Found."), 1, []string{"completed_empty", "completed"}},
		"it failed, its subagent too": {broken, nothing(), 1, []string{"failed", "completed_empty"}},
		"it stopped its subagent":     {say("Enough."), say("…").until(make(chan struct{})), 0, []string{"completed", "canceled_by_agent"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, chatProtocol(), func(h heard) reply {
				switch {
				case !h.parent():
					return row.child
				case h.answered("agent") && row.child.hold != nil:
					return do(use("agent_stop", object{"agent_id": agentOf(h)}))
				case h.answered("agent") || h.answered("agent_stop"):
					return row.parent
				}
				if row.child.hold != nil {
					return do(launch("a look", "look"))
				}
				return do(delegate("a look", "look"))
			})
			r, errs, code := s.prompted(t, "-p", "go")
			require.Equal(t, row.code, code, errs)
			require.Equal(t, row.states, []string{r.Status, r.Subagents[0].Status})
		})
	}
}
