package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"
)

// What each act of the model test does.

// write is what people type.
func (th *harness) write(a act) {
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

func (th *harness) send(to SessionID) {
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

// runShell is a command of the user's own. No model can reach it.
func (th *harness) runShell(a act) {
	in := root
	if a.Do == "own shell in child" {
		r, ok := th.agent(a)
		if !ok {
			return
		}
		in = r.Session
	}
	busy := len(th.those(func(r Run) bool { return r.UserShell() && r.Parent == in && unended(r) })) > 0
	reply, err := th.s.Do(context.Background(), RunShell{Session: in, Command: "ls"})
	if th.healthy() && th.faults == 0 {
		require.Equal(th.t, busy, err != nil, err)
	}
	owner, ok := th.one(a, func(r Run) bool { return !r.Shell() && atWorkNow(r) && r.Session == in })
	if err != nil || !ok {
		return
	}
	th.order(owner.ID, func(p *scriptedWorker) *Outcome {
		_, stop := p.port.Scope().Stop(reply.Runs[0].Session, "mine now")
		_, read := p.port.Scope().Latest(reply.Runs[0].Session)
		require.ErrorIs(th.t, stop, ErrUnknown)
		require.ErrorIs(th.t, read, ErrUnknown)
		return nil
	})
}

func (th *harness) requeue(a act) {
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
func (th *harness) delegate(a act) {
	parent, ok := th.one(a, func(r Run) bool { return !r.Child() && atWorkNow(r) })
	agent, any := th.agent(a)
	if !ok || !any && !strings.HasPrefix(a.Do, "launch") && !strings.HasPrefix(a.Do, "delegate") {
		return
	}
	th.calls++
	call, name := CallID(fmt.Sprintf("call %d", th.calls)), "agent"
	if strings.HasPrefix(a.Do, "agent ") {
		name = strings.ReplaceAll(a.Do, " ", "_")
	}
	th.order(parent.ID, func(p *scriptedWorker) *Outcome {
		if a.Do == "agent stop" && unasked(agent.Run) && th.faults == 0 {
			th.want[agent.ID] = StateCanceledByAgent
		}
		return p.tool(call, name, func() ([]Told, error) {
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
			background := strings.HasPrefix(a.Do, "launch")
			spec := Spec{Call: call, Description: string(call), Prompt: "work", Background: background}
			if strings.HasSuffix(a.Do, "far") {
				spec.Isolation, spec.Idempotent = IsolationRemote, a.At > 1
			}
			run, err := scope.Start(spec, resume)
			if err == nil && !background {
				run, err = scope.Wait(p.ctx, run.ID)
			}
			return told(run, ByToolResult), err
		})
	})
}

// background is what a model does with shells, a parent's or a subagent's.
func (th *harness) background(a act) {
	owner, ok := th.one(a, func(r Run) bool { return !r.Shell() && atWorkNow(r) })
	if !ok {
		return
	}
	shell, any := th.one(a, func(r Run) bool { return r.Shell() && !r.UserShell() && r.Parent == owner.Session })
	if !any && a.Do != "shell" {
		return
	}
	th.calls++
	call := CallID(fmt.Sprintf("call %d", th.calls))
	th.order(owner.ID, func(p *scriptedWorker) *Outcome {
		if a.Do == "shell kill" && unasked(shell) && th.faults == 0 {
			th.want[shell.ID] = StateCanceledByAgent
		}
		return p.tool(call, strings.ReplaceAll(a.Do, " ", "_"), func() ([]Told, error) {
			scope := p.port.Scope()
			switch a.Do {
			case "shell kill":
				run, err := scope.Stop(shell.Session, "enough")
				return told(run, ByShellKill), err
			case "shell output":
				run, err := scope.Latest(shell.Session)
				return told(run, ByShellOutput), err
			}
			_, err := scope.StartShell(Spec{Call: call, Command: string(call)})
			return nil, err
		})
	})
}

// direct is what a model or a program does to its own run.
func (th *harness) direct(a act) {
	match := atWorkNow
	if a.Do == "finish root" {
		a.Do, match = "finish", func(r Run) bool { return !r.Child() && atWorkNow(r) }
	}
	if a.Do == "trespass" {
		match = func(r Run) bool { return r.Subagent() && atWorkNow(r) }
	}
	run, ok := th.one(a, match)
	if model := a.Do == "step" || a.Do == "say" || a.Do == "ask"; !ok || model && run.Shell() {
		return
	}
	empty := StateCompletedEmpty
	if run.Shell() {
		empty = StateCompleted
	}
	end := func(state State, out Outcome) func(*scriptedWorker) *Outcome {
		return func(p *scriptedWorker) *Outcome {
			if p.busy() {
				return nil
			}
			if th.faults == 0 {
				th.want[run.ID] = state
			}
			return &out
		}
	}
	th.order(run.ID, map[string]func(*scriptedWorker) *Outcome{
		"step": func(p *scriptedWorker) *Outcome {
			if p.busy() {
				return nil
			}
			if p.port.Run().Trigger == TriggerCompact {
				return nil // it takes nothing in
			}
			return failing(p.step())
		},
		"say": func(p *scriptedWorker) *Outcome {
			return failing(p.serve(func(port *Port) error { return port.Record(nil, Text{"some"}) }))
		},
		"finish": end(StateCompleted, Outcome{Text: "done"}),
		"empty":  end(empty, Outcome{}),
		"fail":   end(StateFailed, Outcome{Err: &Failure{Kind: FailProvider, Message: "down"}}),
		"panic": func(p *scriptedWorker) *Outcome {
			if out := end(StateFailed, Outcome{})(p); out == nil {
				return nil
			}
			panic("index out of range")
		},
		"ask": func(p *scriptedWorker) *Outcome {
			th.calls++
			call := CallID(fmt.Sprintf("call %d", th.calls))
			return p.tool(call, "shell", func() ([]Told, error) {
				return nil, p.ask(call)
			})
		},
		"trespass": func(p *scriptedWorker) *Outcome { return th.trespass(p) },
	}[a.Do])
}

// trespass lets a subagent reach for what is not its own.
func (th *harness) trespass(p *scriptedWorker) *Outcome {
	scope := p.port.Scope()
	_, start := scope.Start(Spec{Prompt: "mine"}, "")
	_, stop := scope.Stop(root, "mine now")
	_, read := scope.Latest(root)
	_, send := scope.Send(root, "obey", "call")
	require.ErrorIs(th.t, stop, ErrUnknown)
	require.ErrorIs(th.t, read, ErrUnknown)
	require.ErrorIs(th.t, send, ErrUnknown)
	require.True(th.t, errors.Is(start, ErrDepth) || p.ctx.Err() != nil, start)
	return nil
}

func failing(err error) *Outcome {
	if err == nil {
		return nil
	}
	return &Outcome{Err: err}
}

// halt is what a person stops.
func (th *harness) halt(a act) {
	var command Command
	match := unasked
	switch a.Do {
	case "stop":
		r, ok := th.agent(a)
		if !ok {
			return
		}
		command, match = Stop{Session: r.Session, Cause: CauseKey}, func(o Run) bool { return o.ID == r.ID && unasked(o) }
	case "stop shell":
		r, ok := th.one(a, Run.Shell)
		if !ok {
			return
		}
		command, match = Stop{Session: r.Session, Cause: CauseKey}, func(o Run) bool { return o.ID == r.ID && unasked(o) }
	case "stop root":
		if _, ok := th.one(a, func(r Run) bool { return !r.Child() }); !ok {
			return
		}
		command, match = Stop{Session: root, Cause: CauseKey}, func(r Run) bool { return !r.Child() && unasked(r) }
	case "stop foreground":
		if _, ok := th.one(a, func(r Run) bool { return !r.Child() }); !ok {
			return
		}
		command, match = StopForeground{Session: root, Cause: CauseKey}, func(r Run) bool { return r.Parent == root && r.Awaited() && unasked(r) }
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
func (th *harness) decide(a act) {
	var command Command
	r, ok := th.agent(a)
	switch a.Do {
	case "detach all":
		if _, begun := th.one(a, func(r Run) bool { return !r.Child() }); !begun {
			return
		}
		command = DetachForeground{Session: root}
	case "compact":
		command = Compact{Session: root}
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
			"detach": Detach{Session: r.Session}, "grant": Grant{Session: r.Session}, "leave": Leave{Session: r.Session}, "continue": Continue{Session: r.Session},
		}[a.Do]
	}
	reply, err := th.s.Do(context.Background(), command)
	if a.Do == "answer" && th.healthy() && th.faults == 0 {
		require.NoError(th.t, err)
	}
	if err == nil && a.Do == "continue" && r.Session == root && reply.Runs[0].Trigger == TriggerContinue {
		th.reopened, th.held = false, false
	}
	if err == nil && a.Do == "grant" && reply.Message != "" {
		th.texts[reply.Message] = "" // its words are the supervisor's
	}
}
