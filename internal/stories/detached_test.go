package stories

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// detached begins a session without a screen, and stops it with the test.
func detached(t *testing.T, s *harness.Stage, args ...string) (id string) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags(append([]string{"-p", "--detach"}, args...)...)...)
	require.Equal(t, 0, code, errs)
	require.Empty(t, errs)
	require.Regexp(t, `^[0-9a-f-]{36}\n$`, out)
	id = strings.TrimSpace(out)
	t.Cleanup(func() {
		harness.Run(t, s.Dir, s.Env, "stop", id, "--all")
		harness.Run(t, s.Dir, s.Env, "watch", id) // until its host has left
	})
	return id
}

// ran runs a command that goes well and says nothing on standard error.
func ran(t *testing.T, s *harness.Stage, args ...string) string {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
	require.Equal(t, []any{0, ""}, []any{code, errs}, "%v: %s", args, out)
	return out
}

// turnedDown runs a command that is refused in one line.
func turnedDown(t *testing.T, s *harness.Stage, want int, args ...string) (says string) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
	require.Equal(t, want, code, "%v: %s%s", args, out, errs)
	require.Empty(t, out)
	harness.RequireOneLine(t, errs)
	return errs
}

// openSession is how ps --json describes one.
type openSession struct {
	Session, State, Title, Folder, Activity string
	PID, Screens                            int
	Questions                               []struct{ Question, Who, Text string }
}

// openSessions are those that ps lists, once each host has answered within the second that it is given.
func openSessions(t *testing.T, s *harness.Stage) (open []openSession) {
	t.Helper()
	for late := time.Now().Add(modeltest.Patience); ; {
		var list struct {
			Sessions []openSession
			Troubles []any
		}
		require.NoError(t, json.Unmarshal([]byte(ran(t, s, "ps", "--json")), &list))
		if len(list.Troubles) == 0 {
			return list.Sessions
		}
		require.True(t, time.Now().Before(late), "%v", list.Troubles)
	}
}

// ps is what ps prints then.
func ps(t *testing.T, s *harness.Stage) string {
	t.Helper()
	for late := time.Now().Add(modeltest.Patience); ; {
		out, errs, code := harness.Run(t, s.Dir, s.Env, "ps")
		require.Zero(t, code, errs)
		if errs == "" {
			return out
		}
		require.True(t, time.Now().Before(late), errs)
	}
}

// follower is a command that runs while a test does other things.
type follower struct {
	t   *testing.T
	cmd *exec.Cmd
	*partner
}

// following starts a command whose output is lines of JSON.
func following(t *testing.T, s *harness.Stage, args ...string) *follower {
	t.Helper()
	p := startPartner(t, func() *exec.Cmd {
		cmd := s.Command(t)
		cmd.Args = append(cmd.Args[:1], args...)
		return cmd
	}())
	return &follower{t, p.cmd, p}
}

// end waits for its end and gives its code.
func (f *follower) end() int {
	f.t.Helper()
	for l := range f.lines {
		f.seen = append(f.seen, l)
	}
	harness.WaitEnd(f.t, f.cmd)
	return f.cmd.ProcessState.ExitCode()
}

func TestASessionGoesOnWithoutAScreenAndIsWaitedFor(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("again") {
			return modeltest.Say("As before.")
		}
		return modeltest.Say("I have just begun").Until(release, ", and am done.")
	})
	require.Equal(t, "No session is open; pawl sessions lists those of this folder.\n", ran(t, s, "ps"))
	id := detached(t, s, "dig")
	s.Server.Await(t, modeltest.FromParent)
	row := ps(t, s)
	require.Regexp(t, `^`+id[28:]+`  works  1 running  \$0\.\d\d  .* MB  .*  dig  `, row)
	open := openSessions(t, s)
	require.Len(t, open, 1)
	require.Equal(t, []any{id, "works", "dig", s.Dir}, []any{open[0].Session, open[0].State, open[0].Title, open[0].Folder})
	require.Eventually(t, func() bool { // it passes over a host that does not answer within a second
		offered, _, _ := harness.Run(t, s.Dir, s.Env, "__complete", "send", "")
		return strings.HasPrefix(offered, id+"\topen: dig\n")
	}, modeltest.Patience, 10*time.Millisecond)
	wait := following(t, s, "wait", "…"+id[28:], "--output-format", "json")
	close(release)
	require.Equal(t, 0, wait.end())
	require.Equal(t, "I have just begun, and am done.\n", ran(t, s, "wait", id), "from what is recorded, or from its host")
	var r harness.Report
	require.NoError(t, json.Unmarshal([]byte(ran(t, s, "wait", id, "--output-format", "json")), &r))
	require.Equal(t, []any{"completed", "I have just begun, and am done.", id}, []any{r.Status, r.Output, r.Session})
	ran(t, s, "show", id)
	require.Equal(t, id, detached(t, s, "--session", id, "again"))
	require.Equal(t, "As before.\n", ran(t, s, "wait", id))
}

func TestWhatIsSaidToASessionIsTakenInAndWhatRunsIsStopped(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"), h.Asked("hold on"):
			return modeltest.Say("I have just begun").Until(make(chan struct{}))
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		case h.Asked("send one"):
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		}
		return modeltest.Say("I have heard: " + h.Messages[len(h.Messages)-1].Text)
	})
	id := detached(t, s, "send one")
	s.Server.Await(t, modeltest.FromChild("dig"))
	ran(t, s, "send", "hold", "on") // the only session of the folder
	s.Server.Await(t, modeltest.ParentAsked("hold on"))
	watch := following(t, s, "watch", id, "--from", "0")
	spawned := watch.until("the subagent", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" })
	require.Contains(t, ran(t, s, "stop", id, "--json"), `"ok": true`)
	watch.until("its end", func(l streamLine) bool { return l.Session == id && l.Event == "ended" && l.Data.Cause == "command" })
	out, errs, code := harness.RunWith(t, "some text", s.Dir, s.Env, "send", id, "look at this")
	require.Equal(t, []any{"", "", 0}, []any{out, errs, code})
	require.Contains(t, s.Server.Await(t, modeltest.ParentAsked("look at this")).String(), "some text")

	ran(t, s, "stop", id, "--agent", spawned.Session, "--reason", "enough")
	ended := watch.until("its end", func(l streamLine) bool { return l.Session == spawned.Session && l.Event == "ended" })
	require.Equal(t, []any{"canceled_by_user", "command"}, []any{ended.Data.State, ended.Data.Cause})
	require.Equal(t, 0, watch.end(), "the session is left once nothing goes on")
	require.Equal(t, "result", watch.seen[len(watch.seen)-1].Type)
	says := turnedDown(t, s, 1, "send", id, "and now?")
	require.Contains(t, says, "session "+id+" is not open: pawl -p --detach --session "+id[28:]+` "…" goes on with it`)
	require.Contains(t, turnedDown(t, s, 1, "watch", id), "pawl show "+id[28:])
	require.Contains(t, turnedDown(t, s, 2, "stop"), "no session of this folder is open")
	require.Contains(t, turnedDown(t, s, 2, "stop", "4f2a"), `no session "4f2a"`)
}

func TestAQuestionOfASessionWithoutAScreenIsReadAndAnswered(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at") && h.Answered("shell"):
			return modeltest.Say("No.")
		case h.Child("look at"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch child.txt"}))
		case h.Answered("agent"):
			return modeltest.Say("Both were denied.")
		case h.Answered("shell"):
			return modeltest.Say("It is made.")
		case h.Asked("two"):
			return modeltest.Do(modeltest.Delegate("one", "look at one"), modeltest.Delegate("two", "look at two"))
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch made.txt\ntouch more.txt"}))
	})
	id := detached(t, s, "make it")
	wait := following(t, s, "wait", id)
	awaitQuestions(t, s, 1)
	require.Contains(t, ps(t, s), "needs you")
	text := ran(t, s, "answer", id)
	require.Contains(t, text, "shell\n")
	require.Contains(t, text, "touch made.txt\n  touch more.txt\n")
	require.Contains(t, turnedDown(t, s, 2, "answer", id, "perhaps"), "must be one of once, run, session, always, no")
	require.Contains(t, turnedDown(t, s, 2, "answer", id, "yes", "--reason", "so"), "--reason goes with the answer no")
	ran(t, s, "answer", "yes")
	require.Equal(t, 0, wait.end())
	require.FileExists(t, s.Dir+"/more.txt")

	require.Equal(t, id, detached(t, s, "--session", id, "two"))
	awaitQuestions(t, s, 2)
	require.Contains(t, turnedDown(t, s, 2, "answer", id, "no"), "2 questions are open: pawl answer "+id[28:]+" prints them")
	for _, q := range openSessions(t, s)[0].Questions {
		require.Contains(t, ran(t, s, "answer", id), q.Who+": shell\n")
		ran(t, s, "answer", id, "no", "--question", "…"+q.Question[28:], "--reason", "not here")
	}
	_, _, code := harness.Run(t, s.Dir, s.Env, "wait", id)
	require.NoFileExists(t, s.Dir+"/child.txt")
	require.Equal(t, 0, code)
	require.Contains(t, turnedDown(t, s, 1, "answer", id, "no"), "has no open question")
}

// awaitQuestions waits until the only open session asks so many.
func awaitQuestions(t *testing.T, s *harness.Stage, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		open := openSessions(t, s)
		return len(open) == 1 && len(open[0].Questions) == n
	}, modeltest.Patience, 10*time.Millisecond)
}

func TestAPromptGoesToAnOpenSessionOverItsSocket(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("dig"), h.Child("dig"):
			return modeltest.Say("I have just begun").Until(release)
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		case h.Asked("send one"):
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		case h.Asked("fail"):
			return modeltest.Fault(400, "no")
		}
		return modeltest.Say("I have heard.")
	})
	x := s.Open(t)
	id := openSessions(t, s)[0].Session
	require.Contains(t, turnedDown(t, s, 1, "wait", id), "nothing was asked in session "+id+" yet")
	turnedDown(t, s, 1, "stop", id)
	ran(t, s, "stop", id, "--all")
	x.Prompt("are you there?")
	x.See("I have heard.")
	require.Equal(t, "I have heard.\n", ran(t, s, "-p", "-c", "and now?"))
	x.See("and now?")
	var r harness.Report
	require.NoError(t, json.Unmarshal([]byte(ran(t, s, "-p", "-c", "in JSON", "--output-format", "json")), &r))
	require.Equal(t, []any{"completed", "I have heard.", id}, []any{r.Status, r.Output, r.Session})
	lines, code := streamedBy(t, s, "-p", "-c", "as lines", "--output-format", "stream-json")
	require.Equal(t, 0, code)
	require.Equal(t, []string{"opening", "result"}, []string{lines[0].Type, lines[len(lines)-1].Type})
	for _, l := range lines {
		require.NotContains(t, []string{"reply", "status", "idle"}, l.Type)
	}

	p := startPartner(t, func() *exec.Cmd {
		cmd := s.Command(t)
		cmd.Args = append(cmd.Args[:1], "-p", "-c", "--input-format", "stream-json", "--output-format", "stream-json")
		return cmd
	}())
	p.say(modeltest.Object{"type": "message", "text": "from a program", "id": "m"})
	require.Contains(t, p.until("the reply", func(l streamLine) bool { return l.Type == "reply" }).raw, `"id":"m","line":1,"ok":true`)
	p.idle()
	require.NoError(t, p.in.Close())
	p.until("the result", func(l streamLine) bool { return l.Type == "result" })
	harness.WaitEnd(t, p.cmd)
	require.Equal(t, 0, p.cmd.ProcessState.ExitCode())

	require.Contains(t, turnedDown(t, s, 1, "-p", "-c", "fail"), "HTTP 400")
	waiting := s.Command(t)
	waiting.Args = append(waiting.Args[:1], "-p", "--session", id, "dig")
	var told strings.Builder
	waiting.Stderr = &told
	require.NoError(t, waiting.Start())
	s.Server.Await(t, modeltest.ParentAsked("dig"))
	require.NoError(t, waiting.Process.Signal(syscall.SIGINT))
	harness.WaitEnd(t, waiting)
	require.Equal(t, 130, waiting.ProcessState.ExitCode())
	require.Contains(t, told.String(), "the session goes on: pawl attach "+id[28:])
	x.See("I have just begun")
	close(release)
	require.Equal(t, 0, x.Quit())
}

// The page's own script, with a model that asks for what it allows and for what it does not.
func TestTheScriptOfThePageRunsTwoSessionsAndAnswersThem(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the script needs jq")
	}
	page, err := os.ReadFile("docs/socket.md")
	require.NoError(t, err)
	_, script, found := strings.Cut(string(page), "```bash\n")
	require.True(t, found)
	script, _, _ = strings.Cut(script, "```")
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("shell"):
			return modeltest.Say("Done: " + h.ResultsOf("shell")[0])
		case h.Asked("failing tests"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "go test ./..."}))
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch NEWS.md"}))
	})
	path, err := harness.Binary()
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(path, filepath.Join(bin, "pawl")))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = s.Dir
	cmd.Env = append(append([]string{}, s.Env...), "PAWL_MODEL="+s.Model, "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.Output()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "not in this script")
	require.Equal(t, 2, strings.Count(string(out), "Done: "), string(out))
	require.NotContains(t, string(out), "left undone")
	require.NoFileExists(t, s.Dir+"/NEWS.md")
}

func TestOneWhoWaitsForAProcessThatIsKilledHearsOfIt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	})
	id := detached(t, s, "dig")
	s.Server.Await(t, modeltest.FromParent)
	wait := s.Command(t)
	wait.Args = append(wait.Args[:1], "wait", id)
	var told strings.Builder
	wait.Stderr = &told
	require.NoError(t, wait.Start())
	watch := following(t, s, "watch", id, "--from", "0")
	watch.until("its first record", func(l streamLine) bool { return l.Event == "spawned" })
	require.NoError(t, syscall.Kill(openSessions(t, s)[0].PID, syscall.SIGKILL))
	watch.end()
	harness.WaitEnd(t, wait)
	require.Equal(t, 1, wait.ProcessState.ExitCode())
	require.Equal(t, "pawl: session "+id+" is not open, and its process died at work: pawl attach "+id[28:]+" goes on with it\n", told.String())
	require.Empty(t, openSessions(t, s))
}

func TestAStartWithoutAScreenIsGivenUpWithItsPrompt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	start := s.Command(t, "-p", "--detach")
	in, err := start.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	said, err := start.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, start.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "waiting for the end of standard input")
	require.NoError(t, start.Process.Signal(syscall.SIGINT))
	harness.WaitEnd(t, start)
	require.Equal(t, 130, start.ProcessState.ExitCode())
}
