package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever people, models and disks do, in whatever order: after each act the log
// is sound and nothing that may go on stands still. Acts are drawn first and
// played then, so that what fails shrinks; what it shrinks to becomes a table
// test.

// act is one thing that somebody does. Who and At choose among what there is.
type act struct {
	Do  string
	Who int
	At  int
}

// acts are what can happen; the more often it is named, the more often it does.
var acts = []string{
	"send", "send", "send to child", "send to child", "edit", "move", "withdraw",
	"launch", "launch", "launch", "launch", "delegate", "delegate", "delegate", "resume",
	"step", "step", "say",
	"finish", "finish", "finish", "finish root", "finish root", "empty", "fail", "panic",
	"stop", "stop root", "stop foreground", "stop all", "agent stop", "agent stop",
	"detach", "detach all", "agent output", "agent output", "agent send",
	"ask", "ask", "answer", "answer", "grant", "continue",
	"fault", "fault once", "heal", "heal", "unable", "able", "able",
	"pass", "pass long", "crash",
}

func TestAnyOrderOfActsKeepsTheInvariants(t *testing.T) {
	quietly(t)
	gen := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) act {
		return act{rapid.SampledFrom(acts).Draw(r, "do"), rapid.IntRange(0, 9).Draw(r, "who"), rapid.IntRange(0, 3).Draw(r, "at")}
	}), 30, 120)
	for range 3 { // a few hundred sequences; -rapid.checks makes them many
		rapid.Check(t, func(r *rapid.T) {
			if err := play(t, gen.Draw(r, "acts")); err != nil {
				r.Log(err)
				r.Fatal("an invariant is broken") // the same words each time, or nothing would shrink
			}
		})
	}
}

// quietly keeps panics and faults that a test wants out of its output.
func quietly(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(before) })
}

// play plays acts in virtual time and returns what they broke.
func play(t *testing.T, script []act) (broken error) {
	synctest.Test(t, func(t *testing.T) {
		judge := &judge{T: t}
		th := &theatre{stage: &stage{t: judge, journal: newMemory()}, puppets: map[RunID]*puppet{}, want: map[RunID]State{}, texts: map[MessageID]string{}, log: newReading()}
		defer func() {
			if r := recover(); r != nil && r != any(judge) {
				panic(r)
			}
			broken = judge.err
			th.journal.heals()
			_ = th.s.Close(context.Background(), CauseQuit)
		}()
		th.begin()
		for i, a := range script {
			judge.now = fmt.Sprintf("act %d, %v", i, a)
			th.perform(a)
			synctest.Wait()
			th.check()
		}
		th.end()
	})
	return broken
}

// judge is a testing.TB whose verdict can be taken back by a shorter failure.
type judge struct {
	*testing.T
	now string
	err error
}

func (j *judge) Errorf(format string, args ...any) {
	if j.err == nil {
		j.err = fmt.Errorf("%s: %s", j.now, fmt.Sprintf(format, args...))
	}
}

func (j *judge) FailNow() { panic(j) }

func (th *theatre) perform(a act) {
	switch a.Do {
	case "send", "send to child", "edit", "move", "withdraw":
		th.write(a)
	case "launch", "delegate", "resume", "agent stop", "agent output", "agent send":
		th.delegate(a)
	case "step", "say", "finish", "finish root", "empty", "fail", "panic", "ask":
		th.direct(a)
	case "stop", "stop root", "stop foreground", "stop all":
		th.halt(a)
	case "detach", "detach all", "answer", "grant", "continue":
		th.decide(a)
	default:
		th.befall(a)
	}
}

// write is what people type.
func (th *theatre) write(a act) {
	switch a.Do {
	case "send":
		th.send(root)
	case "send to child":
		if r, ok := th.agent(a); ok {
			th.send(r.Session)
		}
	default:
		th.requeue(a)
	}
}

func (th *theatre) send(to SessionID) {
	reply, err := th.s.Do(context.Background(), Send{Session: to, Text: "text"})
	if err != nil {
		require.True(th.t, !th.healthy() || errors.Is(err, ErrNoSlot) || th.faults > 0 && strings.Contains(err.Error(), "not saved"), err)
		return
	}
	if to == root {
		th.reopened, th.held = false, false
	}
	if reply.Message != "" {
		th.texts[reply.Message] = "text"
	} else {
		th.prompts = append(th.prompts, reply.Runs[0].ID)
	}
}

func (th *theatre) requeue(a act) {
	snap, err := th.s.Snapshot(root)
	require.NoError(th.t, err)
	for session, inbox := range snap.Inbox {
		id := inbox[a.At%len(inbox)].ID
		command := map[string]Command{
			"edit":     EditMessage{Session: session, Message: id, Text: "other"},
			"move":     MoveMessage{Session: session, Message: id, To: a.Who},
			"withdraw": WithdrawMessage{Session: session, Message: id},
		}[a.Do]
		if _, err := th.s.Do(context.Background(), command); err != nil {
			require.Positive(th.t, th.faults, err)
			continue
		}
		if a.Do == "edit" {
			th.texts[id] = "other"
		}
	}
}

// delegate is what the parent's model does.
func (th *theatre) delegate(a act) {
	parent, ok := th.one(a, func(r Run) bool { return !r.Subagent() && atWorkNow(r) })
	agent, any := th.agent(a)
	if !ok || !any && a.Do != "launch" && a.Do != "delegate" {
		return
	}
	if a.Do == "agent stop" && unended(agent.Run) && th.faults == 0 {
		th.want[agent.ID] = StateCanceledByAgent
	}
	th.calls++
	call := CallID(fmt.Sprintf("call %d", th.calls))
	th.order(parent.ID, func(p *puppet) *Outcome {
		return p.tool(call, func() ([]Told, error) {
			scope := p.port.Scope()
			switch a.Do {
			case "agent stop":
				run, err := scope.Stop(agent.Session, "enough")
				return told(run, ByAgentStop), err
			case "agent output":
				run, err := scope.Latest(agent.Session)
				return told(run, ByAgentOutput), err
			case "agent send":
				_, err := scope.Send(agent.Session, "more", call)
				return nil, err
			}
			resume := agent.Session
			if a.Do != "resume" {
				resume = ""
			}
			background := a.Do == "launch"
			run, err := scope.Start(Spec{Call: call, Description: string(call), Prompt: "work", Background: background}, resume)
			if err == nil && !background {
				run, err = scope.Wait(p.ctx, run.ID)
			}
			return told(run, ByToolResult), err
		})
	})
}

// direct is what a model or a program does to its own run.
func (th *theatre) direct(a act) {
	match := atWorkNow
	if a.Do == "finish root" {
		a.Do, match = "finish", func(r Run) bool { return !r.Subagent() && atWorkNow(r) }
	}
	run, ok := th.one(a, match)
	if !ok {
		return
	}
	end := func(state State, out Outcome) func(*puppet) *Outcome {
		return func(p *puppet) *Outcome {
			if p.busy() {
				return nil
			}
			if th.faults == 0 {
				th.want[run.ID] = state
			}
			return &out
		}
	}
	th.order(run.ID, map[string]func(*puppet) *Outcome{
		"step": func(p *puppet) *Outcome {
			if p.busy() {
				return nil
			}
			_, err := p.port.Step()
			return failing(err)
		},
		"say":    func(p *puppet) *Outcome { return failing(p.port.Record(nil, Text{"some"})) },
		"finish": end(StateCompleted, Outcome{Text: "done"}),
		"empty":  end(StateCompletedEmpty, Outcome{}),
		"fail":   end(StateFailed, Outcome{Err: &Failure{Kind: FailProvider, Message: "down"}}),
		"panic": func(p *puppet) *Outcome {
			if out := end(StateFailed, Outcome{})(p); out == nil {
				return nil
			}
			panic("index out of range")
		},
		"ask": func(p *puppet) *Outcome {
			th.calls++
			call := CallID(fmt.Sprintf("call %d", th.calls))
			return p.tool(call, func() ([]Told, error) {
				_, err := p.port.Ask(p.ctx, Question{Call: call, Tool: "shell", Subject: "ls"})
				return nil, err
			})
		},
	}[a.Do])
}

func failing(err error) *Outcome {
	if err == nil {
		return nil
	}
	return &Outcome{Err: err}
}

// halt is what a person stops.
func (th *theatre) halt(a act) {
	var command Command
	match := unended
	switch a.Do {
	case "stop":
		r, ok := th.agent(a)
		if !ok {
			return
		}
		command, match = Stop{Session: r.Session, Cause: CauseKey}, func(o Run) bool { return o.ID == r.ID && unended(o) }
	case "stop root":
		if _, ok := th.one(a, func(Run) bool { return true }); !ok {
			return
		}
		command, match = Stop{Session: root, Cause: CauseKey}, func(r Run) bool { return !r.Subagent() && unended(r) }
	case "stop foreground":
		if _, ok := th.one(a, func(Run) bool { return true }); !ok {
			return
		}
		command, match = StopForeground{Session: root, Cause: CauseKey}, func(r Run) bool { return r.awaited(root) }
	case "stop all":
		command, th.held = StopAll{Root: root, Cause: CauseKey}, true
	}
	healthy := th.healthy()
	for _, r := range th.those(match) {
		if th.faults == 0 { // else it may be about to fail
			th.want[r.ID] = StateCanceledByUser
		}
	}
	_, err := th.s.Do(context.Background(), command)
	if healthy {
		require.NoError(th.t, err)
	}
}

// decide is what else a person does.
func (th *theatre) decide(a act) {
	var command Command
	r, ok := th.agent(a)
	switch a.Do {
	case "detach all":
		if _, begun := th.one(a, func(Run) bool { return true }); !begun {
			return
		}
		command = DetachForeground{Session: root}
	case "answer":
		asking, some := th.one(a, func(r Run) bool { return len(r.Asked) > 0 })
		if !some {
			return
		}
		scope := []GrantScope{GrantOnce, GrantRun, GrantSession, GrantOnce}[a.At]
		command = Resolve{Question: asking.Asked[0].ID, Answer: Answer{Allow: a.At > 0, Scope: scope}}
	default:
		if a.Do == "continue" && a.At == 0 {
			r, ok = seen{Run: Run{Session: root}}, true
		}
		if !ok {
			return
		}
		command = map[string]Command{
			"detach": Detach{Session: r.Session}, "grant": Grant{Session: r.Session}, "continue": Continue{Session: r.Session},
		}[a.Do]
	}
	reply, err := th.s.Do(context.Background(), command)
	if a.Do == "answer" && th.healthy() && th.faults == 0 {
		require.NoError(th.t, err)
	}
	if err == nil && a.Do == "continue" && r.Session == root {
		th.reopened, th.held = false, false
	}
	if err == nil && a.Do == "grant" && reply.Message != "" {
		th.texts[reply.Message] = "" // its words are the supervisor's
	}
}

// befall is what nobody decides.
func (th *theatre) befall(a act) {
	switch a.Do {
	case "fault":
		th.faults++
		th.journal.fails(-1)
	case "fault once":
		th.faults++
		th.journal.fails(1 + a.At)
	case "heal":
		th.journal.heals()
		pass(3 * retryAfter)
	case "unable", "able":
		th.guard.Lock()
		th.unable = a.Do == "unable"
		th.guard.Unlock()
	case "pass":
		pass(time.Minute)
	case "pass long":
		pass(11 * time.Minute)
	case "crash":
		th.crash()
	}
}

// crash lets the process die, and another one find what it left.
func (th *theatre) crash() {
	found := th.journal.copy()
	th.journal.heals()
	require.NoError(th.t, th.s.Close(context.Background(), CauseQuit))
	th.journal = found
	open := 0
	for _, run := range found.runs {
		if unended(run) {
			open++
			delete(th.want, run.ID)
		}
	}
	before := len(found.records)
	th.begin()
	for _, r := range th.all() {
		require.True(th.t, r.State.Terminal(), "no run of a dead process is open")
	}
	require.Equal(th.t, before > 0, th.reopened)
	require.Equal(th.t, open > 0, len(found.records) > before)
}

// end closes the supervisor, and sees that nothing happens after that.
func (th *theatre) end() {
	th.judgeNow("close")
	th.journal.heals()
	pass(3 * retryAfter)
	th.check()
	require.NoError(th.t, th.s.Close(context.Background(), CauseQuit))
	synctest.Wait()
	require.Empty(th.t, th.puppets, "nothing runs after Close")
	for _, r := range th.all() {
		require.True(th.t, r.State.Terminal(), "run %s is %s after Close", r.ID, r.State)
	}
	th.closed = true
	th.check()
	records := len(th.journal.records)
	_, err := th.s.Do(context.Background(), Send{Session: root, Text: "hello?"})
	require.ErrorIs(th.t, err, ErrClosing)
	pass(time.Hour)
	require.Len(th.t, th.journal.records, records, "nothing is written after Close")
}

func (th *theatre) judgeNow(act string) { th.t.(*judge).now = act }
