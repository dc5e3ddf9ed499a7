package stories

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// stopped is one way in which somebody, or the end of the process, ends
// subagents, and what is to be said of it.
type stopped struct {
	name     string
	waits    bool // the parent waits for a second one when it happens
	flags    []string
	onScreen func(x *terminal) // what happens on the screen; nil: it runs without one
	signal   syscall.Signal    // or what is sent to a prompt
	code     int
	state    lifecycle.State
	cause    lifecycle.Cause
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
	bySignal := func(s syscall.Signal) func(x *terminal) {
		return func(x *terminal) { x.signal(s) }
	}
	user, cutOff := lifecycle.StateCanceledByUser, lifecycle.StateInterrupted
	cut := []string{"interrupted when Pawl's process ended", dontResume}
	return []stopped{
		{name: "key", onScreen: func(x *terminal) {
			x.type_(keyDown)
			x.stopCard()
			x.see("stopped by you")
			x.type_(keyEsc)
			x.seeNot("enter open")
			_ = x.quit()
		}, state: user, cause: lifecycle.CauseKey, says: []string{"the user pressed a key to stop it", wanted}, card: "stopped by you"},
		{name: "command", onScreen: func(x *terminal) {
			x.type_(keyDown)
			x.see("enter open")
			x.type_(keyEnter)
			x.see("dig to the bottom", "← back")
			x.prompt("/stop")
			x.see("stopped by you")
			x.type_(keyLeft)
			x.see("a dig", "It is on its way.")
			_ = x.quit()
		}, state: user, cause: lifecycle.CauseCommand, says: []string{"the user stopped it with a command", wanted}, card: "stopped by you"},
		{name: "quit", onScreen: func(x *terminal) {
			x.rest()
			x.type_(keyCtrlC)
			x.see("again")
			x.type_(keyCtrlC)
			x.see("stop them and quit")
			x.type_("x")
		}, state: user, cause: lifecycle.CauseQuit, says: []string{"the user quit Pawl and chose to stop what still ran", wanted}, card: "stopped when you quit"},
		{name: "sigint on the screen", waits: true, onScreen: bySignal(syscall.SIGINT), code: 130, state: user, cause: lifecycle.CauseSIGINT, says: []string{"SIGINT", wanted}, card: "stopped by SIGINT"},
		{name: "sigint", waits: true, signal: syscall.SIGINT, code: 130, state: user, cause: lifecycle.CauseSIGINT, says: []string{"SIGINT", wanted}, card: "stopped by SIGINT"},
		{name: "agents_stop", flags: []string{"--agents", "stop"}, code: 3, state: user, cause: lifecycle.CauseAgentsStop, says: []string{"--agents stop", unjudged}, card: "stopped by --agents stop"},
		{name: "drain_timeout", flags: []string{"--drain-timeout", "1s"}, code: 3, state: user, cause: lifecycle.CauseDrainTimeout, says: []string{"the time limit for finishing background work ran out", unjudged}, card: "stopped by --drain-timeout"},
		{name: "sigterm on the screen", waits: true, onScreen: bySignal(syscall.SIGTERM), code: 143, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "sighup on the screen", waits: true, onScreen: bySignal(syscall.SIGHUP), code: 129, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "a closed terminal", waits: true, onScreen: (*terminal).vanish, code: 129, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "sigkill on the screen", waits: true, onScreen: bySignal(syscall.SIGKILL), code: -1, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "sigterm", waits: true, signal: syscall.SIGTERM, code: 143, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "sighup", waits: true, signal: syscall.SIGHUP, code: 129, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "sigkill", waits: true, signal: syscall.SIGKILL, code: -1, state: cutOff, cause: lifecycle.CauseProcessEnd, says: cut, card: "interrupted"},
		{name: "ctrl+c with the parent's run", waits: true, onScreen: func(x *terminal) {
			x.type_(keyCtrlC)
			x.see("stopped")
			x.rest()
			x.type_(keyCtrlC)
			x.see("asks first")
			x.type_(keyCtrlC)
			x.see("stop them and quit")
			x.type_("x")
		}, state: user, cause: lifecycle.CauseQuit, says: []string{"the user quit Pawl", wanted}, card: "stopped when you quit"},
	}
}

// diggers is a parent that sends one subagent to the background and, where it
// waits, another to the foreground. Both have said something when they hang, and the
// parent ends after that.
func diggers(waits bool) func(heard) reply {
	hangs := make(chan struct{})
	hung := sync.OnceFunc(func() { close(hangs) })
	return func(h heard) reply {
		switch {
		case h.child("to the"):
			if h.answered("read") {
				hung()
				return nothing().until(make(chan struct{}))
			}
			return begun()
		case h.asked("what now?"):
			return say("Now I know.")
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.told("dig to the bottom") && waits:
			return do(delegate("a look", "look to the sky"))
		case h.answered("agent"):
			return say("It is ").until(hangs, "on its way.")
		}
		return do(launch("a dig", "dig to the bottom"))
	}
}

func TestEveryCauseOfAnEndIsRecordedAndToldAsItIs(t *testing.T) {
	t.Parallel()
	for i, c := range stops() {
		p := protocols()[i%len(protocols())]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := set(t, p, diggers(c.waits))
			c.happen(t, s)
			r, errs, code := s.prompted(t, "--continue", "-p", "what now?")
			require.Equal(t, 0, code, errs)
			h := s.server.await(t, parentAsked("what now?"))
			c.requireTold(t, h)
			runs := s.page(t, r.Session).delegated(t)
			for name, run := range runs {
				want := c.cause
				if name == "a look" && c.cause == lifecycle.CauseQuit {
					want = lifecycle.CauseKey // it went with its parent, before
				}
				require.Equal(t, c.state, run.State, name)
				require.Equal(t, want, run.Cause, name)
				require.Equal(t, "I have begun.", run.Partial, name)
				require.NotNil(t, run.Consumed, name)
			}
			require.Equal(t, c.waits, len(runs) == 2)
			x := s.open(t, "--session", r.Session)
			x.see("a dig", c.card)
			require.Equal(t, 0, x.quit())
		})
	}
}

// happen brings the subagents to where they hang, and lets it happen.
func (c stopped) happen(t *testing.T, s *stage) {
	t.Helper()
	hanging := func() {
		s.server.await(t, func(h heard) bool { return h.child("dig to the bottom") && h.answered("read") })
		if c.waits {
			s.server.await(t, func(h heard) bool { return h.child("look to the sky") && h.answered("read") })
		}
	}
	if c.onScreen != nil {
		x := s.open(t)
		x.prompt("send them")
		hanging()
		x.see("a dig")
		if !c.waits {
			x.see("It is on its way.")
		}
		c.onScreen(x)
		x.hasEnded()
		x.drain() // where the guard was killed, Pawl itself ends a moment later
		require.Equal(t, c.code, x.cmd.ProcessState.ExitCode())
		return
	}
	var out bytes.Buffer
	cmd := s.command(t, append(append([]string{"--output-format", "json"}, c.flags...), "-p", "send them")...)
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	if c.signal != 0 {
		hanging()
		require.NoError(t, cmd.Process.Signal(c.signal))
	}
	waitEnd(t, cmd)
	require.Equal(t, c.code, cmd.ProcessState.ExitCode())
	if c.signal == syscall.SIGKILL {
		return
	}
	var r report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r), out.String())
	for _, sub := range r.Subagents {
		require.Equal(t, string(c.state), sub.Status)
		require.Equal(t, string(c.cause), sub.Cause)
	}
}

// requireTold holds what the parent was told against what happened: of the one in
// the background by a notification, of the one it waited for by the tool's result.
func (c stopped) requireTold(t *testing.T, h heard) {
	t.Helper()
	require.Len(t, h.notices(), 1)
	notice := h.noticeOf("a dig")
	require.Contains(t, notice, "<status>"+string(c.state)+"</status>")
	require.Contains(t, notice, "<result>I have begun.</result>")
	require.Contains(t, notice, "The result is partial")
	require.Contains(t, notice, nothingX+"; "+readIt)
	require.Contains(t, notice, agentOf(h))
	for _, words := range c.says {
		require.Contains(t, notice, words)
	}
	if !c.waits {
		return
	}
	for _, m := range h.messages {
		for _, r := range m.results {
			var one told
			if !strings.Contains(r.text, `\"a look\"`) {
				continue
			}
			require.NoError(t, json.Unmarshal([]byte(r.text), &one))
			require.Equal(t, string(c.state), one.Status)
			require.Equal(t, "I have begun.", one.Output)
			require.True(t, one.Partial)
			require.NotEmpty(t, one.Agent)
			require.Contains(t, one.Message, nothingX+"; "+readIt)
			if c.cause == lifecycle.CauseQuit {
				require.Contains(t, one.Message, "the user pressed a key to stop it (the main agent was stopped)")
				return
			}
			require.Equal(t, string(c.cause), one.Cause)
			for _, words := range c.says {
				require.Contains(t, one.Message, words)
			}
			return
		}
	}
	require.Fail(t, "nobody told of the one that was waited for")
}
