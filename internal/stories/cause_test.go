package stories

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// stopped is one way in which somebody, or the end of the process, ends
// subagents, and what is to be said of it.
type stopped struct {
	name     string
	waits    bool // the parent waits for a second one when it happens
	flags    []string
	onScreen func(x *harness.Terminal) // what happens on the screen; nil: it runs without one
	signal   syscall.Signal            // or what is sent to a prompt
	code     int
	state    string
	cause    string
	says     []string
	card     string // on the screen
}

const (
	wanted     = "A person wanted this"
	unjudged   = "Nobody judged its work"
	dontResume = "do not assume that it finished; ask the user before you resume it"
)

// stops are all causes of an end, by each way to them.
func stops() []stopped {
	bySignal := func(s syscall.Signal) func(x *harness.Terminal) {
		return func(x *harness.Terminal) { x.Signal(s) }
	}
	user, cutOff := "canceled_by_user", "interrupted"
	cut := []string{"interrupted when Pawl's process ended", dontResume}
	return []stopped{
		{name: "key", onScreen: func(x *harness.Terminal) {
			x.Type(harness.KeyDown)
			x.StopCard()
			x.See("stopped by you")
			x.Type(harness.KeyEsc)
			x.SeeNot("enter open")
			x.See("I have heard of an end.") // else that begins between the two keys that quit
			_ = x.Quit()
		}, state: user, cause: "key", says: []string{"the user pressed a key to stop it", wanted}, card: "stopped by you"},
		{name: "command", onScreen: func(x *harness.Terminal) {
			x.Type(harness.KeyDown)
			x.See("enter open")
			x.Type(harness.KeyEnter)
			x.See("dig to the bottom", "← back")
			x.Prompt("/stop")
			x.See("stopped by you")
			x.Type(harness.KeyLeft)
			x.See("a dig", "It is on its way.", "I have heard of an end.")
			_ = x.Quit()
		}, state: user, cause: "command", says: []string{"the user stopped it with a command", wanted}, card: "stopped by you"},
		{name: "quit", onScreen: func(x *harness.Terminal) {
			x.Rest()
			x.Type(harness.KeyCtrlC)
			x.See("again")
			x.Type(harness.KeyCtrlC)
			x.See("stop them and quit")
			x.Type("x")
		}, state: user, cause: "quit", says: []string{"the user quit Pawl and chose to stop what still ran", wanted}, card: "stopped when you quit"},
		{name: "sigint on the screen", waits: true, onScreen: bySignal(syscall.SIGINT), code: 130, state: user, cause: "sigint", says: []string{"SIGINT", wanted}, card: "stopped by SIGINT"},
		{name: "sigint", waits: true, signal: syscall.SIGINT, code: 130, state: user, cause: "sigint", says: []string{"SIGINT", wanted}, card: "stopped by SIGINT"},
		{name: "agents_stop", flags: []string{"--agents", "stop"}, code: 3, state: user, cause: "agents_stop", says: []string{"--agents stop", unjudged}, card: "stopped by --agents stop"},
		{name: "drain_timeout", flags: []string{"--drain-timeout", "1s"}, code: 3, state: user, cause: "drain_timeout", says: []string{"the time limit for finishing background work ran out", unjudged}, card: "stopped by --drain-timeout"},
		{name: "sigterm on the screen", waits: true, onScreen: bySignal(syscall.SIGTERM), code: 143, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "sighup on the screen", waits: true, onScreen: bySignal(syscall.SIGHUP), code: 129, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "a closed terminal", waits: true, onScreen: (*harness.Terminal).Vanish, code: 129, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "sigkill on the screen", waits: true, onScreen: bySignal(syscall.SIGKILL), code: -1, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "sigterm", waits: true, signal: syscall.SIGTERM, code: 143, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "sighup", waits: true, signal: syscall.SIGHUP, code: 129, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "sigkill", waits: true, signal: syscall.SIGKILL, code: -1, state: cutOff, cause: "process_end", says: cut, card: "interrupted"},
		{name: "ctrl+c with the parent's run", waits: true, onScreen: func(x *harness.Terminal) {
			x.Type(harness.KeyCtrlC)
			x.See("stopped")
			x.Rest()
			x.Type(harness.KeyCtrlC)
			x.See("asks first")
			x.Type(harness.KeyCtrlC)
			x.See("stop them and quit")
			x.Type("x")
		}, state: user, cause: "quit", says: []string{"the user quit Pawl", wanted}, card: "stopped when you quit"},
	}
}

// diggers is a parent that sends one subagent to the background and, where it
// waits, another to the foreground. Both have said something when they hang, and the
// parent ends after that.
func diggers(waits bool) func(modeltest.Request) modeltest.Reply {
	hangs := make(chan struct{})
	hung := sync.OnceFunc(func() { close(hangs) })
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("to the"):
			if h.Answered("read") {
				hung()
				return modeltest.Nothing().Until(make(chan struct{}))
			}
			return begun()
		case h.Asked("what now?"):
			return modeltest.Say("Now I know.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.ToldOf("dig to the bottom") && waits:
			return modeltest.Do(modeltest.Delegate("a look", "look to the sky"))
		case h.Answered("agent"):
			return modeltest.Say("It is ").Until(hangs, "on its way.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
	}
}

func TestEveryCauseOfAnEndIsRecordedAndToldAsItIs(t *testing.T) {
	t.Parallel()
	for i, c := range stops() {
		p := modeltest.Protocols()[i%len(modeltest.Protocols())]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, p, diggers(c.waits))
			c.happen(t, s)
			s.AwaitNoHost(t) // one that still ends has the session open
			r, errs, code := s.Prompted(t, "--continue", "-p", "what now?")
			require.Equal(t, 0, code, errs)
			h := s.Server.Await(t, modeltest.ParentAsked("what now?"))
			c.requireTold(t, h)
			runs := exportedPage(t, s, r.Session).delegated(t)
			for name, run := range runs {
				want := c.cause
				if name == "a look" && c.cause == "quit" {
					want = "key" // it went with its parent, before
				}
				require.Equal(t, c.state, run.State, name)
				require.Equal(t, want, run.Cause, name)
				require.Equal(t, "I have begun.", run.Partial, name)
				require.NotNil(t, run.Consumed, name)
			}
			require.Equal(t, c.waits, len(runs) == 2)
			x := s.Open(t, "--session", r.Session)
			x.See("a dig", c.card)
			require.Equal(t, 0, x.Quit())
		})
	}
}

// happen brings the subagents to where they hang, and lets it happen.
func (c stopped) happen(t *testing.T, s *harness.Stage) {
	t.Helper()
	hanging := func() {
		s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig to the bottom") && h.Answered("read") })
		if c.waits {
			s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("look to the sky") && h.Answered("read") })
		}
	}
	if c.onScreen != nil {
		x := s.Open(t)
		x.Prompt("send them")
		hanging()
		x.See("a dig")
		if !c.waits {
			x.See("It is on its way.")
		}
		c.onScreen(x)
		x.AwaitEnd()
		x.Drain() // where the guard was killed, Pawl itself ends a moment later
		require.Equal(t, c.code, x.Cmd.ProcessState.ExitCode())
		return
	}
	var out bytes.Buffer
	cmd := s.Command(t, append(append([]string{"--output-format", "json"}, c.flags...), "-p", "send them")...)
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	if c.signal != 0 {
		hanging()
		require.NoError(t, cmd.Process.Signal(c.signal))
	}
	harness.WaitEnd(t, cmd)
	require.Equal(t, c.code, cmd.ProcessState.ExitCode())
	if c.signal == syscall.SIGKILL {
		return
	}
	var r harness.Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r), out.String())
	for _, sub := range r.Subagents {
		require.Equal(t, c.state, sub.Status)
		require.Equal(t, c.cause, sub.Cause)
	}
}

// requireTold holds what the parent was told against what happened: of the one in
// the background by a notification, of the one it waited for by the tool's result.
func (c stopped) requireTold(t *testing.T, h modeltest.Request) {
	t.Helper()
	require.Len(t, h.Notices(), 1)
	notice := noticeOf(h, "a dig")
	require.Contains(t, notice, "<status>"+c.state+"</status>")
	require.Contains(t, notice, "<result>I have begun.</result>")
	require.Contains(t, notice, "The result is partial")
	require.Contains(t, notice, nothingX+"; "+readIt)
	require.Contains(t, notice, harness.AgentOf(h))
	for _, words := range c.says {
		require.Contains(t, notice, words)
	}
	if !c.waits {
		return
	}
	for _, m := range h.Messages {
		for _, r := range m.Results {
			var one harness.Told
			if !strings.Contains(r.Text, `\"a look\"`) {
				continue
			}
			require.NoError(t, json.Unmarshal([]byte(r.Text), &one))
			require.Equal(t, c.state, one.Status)
			require.Equal(t, "I have begun.", one.Output)
			require.True(t, one.Partial)
			require.NotEmpty(t, one.Agent)
			require.Contains(t, one.Message, nothingX+"; "+readIt)
			if c.cause == "quit" {
				require.Contains(t, one.Message, "the user pressed a key to stop it (the main agent was stopped)")
				return
			}
			require.Equal(t, c.cause, one.Cause)
			for _, words := range c.says {
				require.Contains(t, one.Message, words)
			}
			return
		}
	}
	require.Fail(t, "nobody told of the one that was waited for")
}
