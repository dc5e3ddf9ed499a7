package stories

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// fate is one way for a subagent to end, and what is to be said of it.
type fate struct {
	name   string // its description, and what its prompt holds
	model  string // of its call; empty is the parent's
	child  func(p protocol, h heard) reply
	state  lifecycle.State
	kind   lifecycle.FailureKind
	output string   // what it leaves
	says   []string // to the parent's model
	card   string   // on the screen
}

// begun is a first step that leaves something to lose.
func begun() reply {
	return do(use("read", object{"path": "README.md"})).saying("I have begun.")
}

// after is a subagent that begins, and whose second answer is this.
func after(second func(p protocol) reply) func(protocol, heard) reply {
	return func(p protocol, h heard) reply {
		if h.answered("read") || h.asked("eport what you found") {
			return second(p)
		}
		return begun()
	}
}

// refused is an error of the server that asks for no long wait.
func refused(status int, message string) func(protocol) reply {
	return func(protocol) reply { return reply{status: status, message: message, retryAfter: "0.01"} }
}

const (
	readIt   = "what it had changed stands. The last tool it used: read README.md."
	nothingX = "Nothing of it is running any more"
)

// fates are all ends that a model, a server or a limit can bring about.
func fates() []fate {
	return []fate{
		{
			name: "finishing", child: after(func(protocol) reply { return say("It is all done.") }),
			state: lifecycle.StateCompleted, output: "It is all done.",
			says: []string{"completed.", nothingX, "agent_send"}, card: "It is all done.",
		},
		{
			name: "silence", child: after(func(protocol) reply { return nothing() }),
			state: lifecycle.StateCompletedEmpty, output: "I have begun.",
			says: []string{"reported nothing", readIt, "Ask it for its findings"}, card: "ended without an answer",
		},
		{
			name: "outage", child: after(refused(503, "we are down")),
			state: lifecycle.StateFailed, kind: lifecycle.FailProvider, output: "I have begun.",
			says: []string{"failed (provider)", "we are down", readIt, "has already retried"}, card: "model server: ",
		},
		{
			name: "throttle", child: after(refused(429, "slow down")),
			state: lifecycle.StateFailed, kind: lifecycle.FailRateLimited, output: "I have begun.",
			says: []string{"failed (rate_limited)", "slow down", readIt, "do not try again at once"}, card: "rate limit: ",
		},
		{
			name: "revoked key", child: after(func(p protocol) reply { return reply{status: p.badKey, message: "the key is wrong"} }),
			state: lifecycle.StateFailed, kind: lifecycle.FailAuth, output: "I have begun.",
			says: []string{"failed (auth)", readIt, "fixed the key"}, card: "API key: ",
		},
		{
			name: "overflow", child: after(refused(400, "prompt is too long: 210000 tokens > 200000 maximum")),
			state: lifecycle.StateFailed, kind: lifecycle.FailContextLength, output: "I have begun.",
			says: []string{"failed (context_length)", readIt, "smaller parts"}, card: "conversation too long: ",
		},
		{
			name: "long answer", child: after(func(protocol) reply { return reply{text: []string{"Half an ans"}, stop: "length"} }),
			state: lifecycle.StateFailed, kind: lifecycle.FailTruncated, output: "Half an ans",
			says: []string{"failed (truncated)", readIt, "smaller parts"}, card: "answer too long: ",
		},
		{
			name: "bad wish", child: after(func(protocol) reply { return reply{text: []string{"I would rather n"}, stop: "refused"} }),
			state: lifecycle.StateFailed, kind: lifecycle.FailRefused, output: "I would rather n",
			says: []string{"failed (refused)", readIt, "do not repeat the same request"}, card: "refused by the model: ",
		},
		{
			name: "endless walk", child: func(protocol, heard) reply { return begun() },
			state: lifecycle.StateFailed, kind: lifecycle.FailMaxSteps, output: "I have begun.",
			says: []string{"failed (max_steps)", "limit of 4 steps", readIt, "smaller parts"}, card: "step limit: ",
		},
		{
			name: "spending", child: spending,
			state: lifecycle.StateFailed, kind: lifecycle.FailBudget, output: "This is what I have.",
			says: []string{"failed (budget)", "600,021 of 500,000 tokens (limits.run_max_tokens)", readIt, "do not start it again unless asked"}, card: "budget: ",
		},
		{
			name: "nobody's model", model: "nosuch/model", child: func(protocol, heard) reply { return surprised() },
			state: lifecycle.StateFailed, kind: lifecycle.FailSetup, output: "(there was no text)",
			says: []string{"failed (setup)", "nosuch/model", "it had not begun, and changed nothing", "fix what the message names"}, card: "not started: ",
		},
	}
}

// spending uses more than a run may with its first step, and is told so.
func spending(_ protocol, h heard) reply {
	if h.asked("budget is used up") {
		return say("This is what I have.")
	}
	answer := begun()
	answer.usage = usage{in: 600_000, out: 21}
	return answer
}

// sendAll is a parent that sends one subagent to each fate, in one answer.
func sendAll(p protocol, all []fate, background bool) func(heard) reply {
	var calls []call
	for _, f := range all {
		input := object{"description": f.name, "prompt": "go into " + f.name, "run_in_background": background}
		if f.model != "" {
			input["model"] = f.model
		}
		calls = append(calls, use("agent", input))
	}
	return func(h heard) reply {
		for _, f := range all {
			if h.child("go into " + f.name) {
				return f.child(p, h)
			}
		}
		switch {
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("That is how they stand.")
		}
		return do(calls...)
	}
}

func TestEveryFailureKindIsReachedAndToldAsItIs(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		all := fates()
		s := set(t, p, sendAll(p, all, false)).with("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000")
		r, errs, code := s.prompted(t, "-p", "send them")
		require.Equal(t, 3, code, errs)
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Len(t, got, len(all))
		for i, f := range all {
			f.requireTold(t, got[i])
			require.Equal(t, got[i].Agent, r.Subagents[i].Agent)
			require.Equal(t, string(f.state), r.Subagents[i].Status, f.name)
			require.Equal(t, string(f.kind), r.Subagents[i].Error.Kind, f.name)
		}
		s.requireRecorded(t, r.Session, all)
		x := startSized(t, 120, 90, s.dir, s.env, s.flags("--session", r.Session)...)
		for _, f := range all {
			x.see(f.name, f.card)
		}
		require.Equal(t, 0, x.quit())
	})
}

// requireTold holds what a tool result says against what happened.
func (f fate) requireTold(t *testing.T, got told) {
	t.Helper()
	require.Equal(t, string(f.state), got.Status, f.name)
	require.Equal(t, string(f.kind), got.Error.Kind, f.name)
	require.Contains(t, got.Output, f.output, f.name) // a protocol may have the refusal beside it
	require.Equal(t, f.state != lifecycle.StateCompleted && f.kind != lifecycle.FailSetup, got.Partial, f.name)
	require.Contains(t, got.Message, nothingX, f.name)
	for _, words := range f.says {
		require.Contains(t, got.Message, words, f.name)
	}
}

// page is a session as the real program exports it.
func (s *stage) page(t *testing.T, session string) page {
	t.Helper()
	var p page
	require.NoError(t, json.Unmarshal([]byte(s.story(t, session)), &p))
	return p
}

// delegated lists the runs on the agent calls of a page, and holds each to what
// the log says.
func (p page) delegated(t *testing.T) map[string]lifecycle.Run {
	t.Helper()
	runs := map[string]lifecycle.Run{}
	for _, m := range p.Sessions[0].Transcript {
		for _, part := range m.Parts {
			if part.Type != "tool_call" || part.Name != "agent" || len(part.Metadata.Run) == 0 {
				continue
			}
			require.JSONEq(t, p.folded(t, part.Call), string(part.Metadata.Run))
			var run lifecycle.Run
			require.NoError(t, json.Unmarshal(part.Metadata.Run, &run))
			runs[run.Description] = run
		}
	}
	return runs
}

// requireRecorded holds the records of a session against what happened.
func (s *stage) requireRecorded(t *testing.T, session string, all []fate) {
	t.Helper()
	runs := s.page(t, session).delegated(t)
	for _, f := range all {
		run := runs[f.name]
		require.Equal(t, f.state, run.State, f.name)
		require.Empty(t, run.Cause, f.name)
		if f.kind == "" {
			require.Nil(t, run.Error, f.name)
			continue
		}
		require.Equal(t, f.kind, run.Error.Kind, f.name)
		require.NotContains(t, run.Error.Message, "\n", f.name)
	}
}

func TestEveryFailureKindIsNotifiedAsItIs(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		all := fates()
		s := set(t, p, sendAll(p, all, true)).with("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000", "PAWL_SUBAGENTS_MAX_BACKGROUND=12")
		r, errs, code := s.prompted(t, "-p", "send them")
		require.Equal(t, 3, code, errs)
		histories := s.server.all(fromParent)
		h := histories[len(histories)-1]
		atOnce := tellings(t, s.server.await(t, parentTold("agent")))
		var descriptions []string
		for i, f := range all {
			if lifecycle.State(atOnce[i].Status).Terminal() { // it ended before its call came back, which told it
				f.requireTold(t, atOnce[i])
				require.Empty(t, h.noticeOf(f.name))
				continue
			}
			descriptions = append(descriptions, f.name)
			notice := h.noticeOf(f.name)
			require.Contains(t, notice, "<status>"+string(f.state)+"</status>", f.name)
			require.Contains(t, notice, f.output, f.name)
			require.Equal(t, f.state != lifecycle.StateCompleted && f.kind != lifecycle.FailSetup, strings.Contains(notice, "The result is partial"), f.name)
			for _, words := range f.says {
				require.Contains(t, notice, words, f.name)
			}
		}
		require.Len(t, h.notices(), len(descriptions))
		requireEachNoticeOnce(t, s.server, descriptions...)
		s.requireRecorded(t, r.Session, all)
	})
}

// noticeOf is the notification about one subagent with the words behind it, as a
// model reads them.
func (h heard) noticeOf(description string) string {
	for _, m := range h.messages {
		for _, part := range strings.Split(m.text, "This message was written by Pawl") {
			if m.role == "user" && strings.Contains(part, "Agent \""+description+"\"") {
				return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(part)
			}
		}
	}
	return ""
}

func TestPrintNamesTheEndsInWordsOfPeople(t *testing.T) {
	t.Parallel()
	p := anthropicProtocol()
	s := set(t, p, sendAll(p, fates(), false)).with("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000")
	out, errs, code := run(t, s.dir, s.env, s.flags("-p", "send them")...)
	require.Equal(t, 3, code)
	require.Equal(t, "That is how they stand.\n", out)
	require.Contains(t, errs, "pawl: subagent \"silence\" ended without an answer\n")
	require.Contains(t, errs, "pawl: subagent \"spending\" failed: budget: this run's budget is used up: 600,021 of 500,000 tokens (limits.run_max_tokens)\n")
	require.NotContains(t, errs, "completed_empty")
	require.NotContains(t, errs, "\"finishing\"")
}

// A bug in Pawl is the failure of the run that met it, and of nobody else.
func TestABugEndsTheRunThatMetItAndTheParentIsToldWhich(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("run into it") && h.answered("read"):
			return do(use("grep", object{"pattern": "Add"}))
		case h.child("run into it"):
			return begun()
		case h.child("never begin"):
			return surprised()
		case len(h.resultsOf("agent")) == 1 && h.told("never begin"):
			return do(delegate("a broken tool", "run into it"))
		case h.answered("agent"):
			return say("Two bugs.")
		}
		return do(delegate("a broken run", "never begin"))
	})
	path, err := failpointBinary()
	require.NoError(t, err)
	sound := s.env
	s.with("FAILPOINTS=worker=panic@2 tool.grep=panic")
	r, errs, code := s.promptedBy(t, path, "-p", "meet the bugs")
	s.env = sound // the other build knows no points
	require.Equal(t, 3, code, errs)
	require.Equal(t, "Two bugs.", r.Output)
	for i, want := range []fate{
		{name: "a broken run", state: lifecycle.StateFailed, kind: lifecycle.FailPanic, output: "(there was no text)", says: []string{"failed (panic)", "it had not begun", "a bug in Pawl"}},
		{name: "a broken tool", state: lifecycle.StateFailed, kind: lifecycle.FailTool, output: "I have begun.", says: []string{"failed (tool)", "a bug in the tool grep", "The last tool it used: grep", "a bug in Pawl"}},
	} {
		got := tellings(t, s.server.awaitNth(t, i+1, parentTold("agent")))[0]
		require.Equal(t, string(want.kind), got.Error.Kind)
		require.Equal(t, want.output, got.Output)
		for _, words := range append(want.says, nothingX) {
			require.Contains(t, got.Message, words)
		}
		require.Equal(t, string(want.kind), r.Subagents[i].Error.Kind)
		s.requireRecorded(t, r.Session, []fate{want})
	}
	require.NotContains(t, errs, "goroutine ")
}
