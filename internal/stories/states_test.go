package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// fate is one way for a subagent to end, and what is to be said of it.
type fate struct {
	name   string // its description, and what its prompt holds
	model  string // of its call; empty is the parent's
	child  func(p modeltest.Protocol, h modeltest.Request) modeltest.Reply
	state  string
	kind   string
	output string   // what it leaves
	says   []string // to the parent's model
	card   string   // on the screen
}

// begun is a first step that leaves something to lose.
func begun() modeltest.Reply {
	return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "README.md"})).Saying("I have begun.")
}

// after is a subagent that begins, and whose second answer is this.
func after(second func(p modeltest.Protocol) modeltest.Reply) func(modeltest.Protocol, modeltest.Request) modeltest.Reply {
	return func(p modeltest.Protocol, h modeltest.Request) modeltest.Reply {
		if h.Answered("read") || h.Asked("eport what you found") {
			return second(p)
		}
		return begun()
	}
}

// refused is an error of the server that asks for no long wait.
func refused(status int, message string) func(modeltest.Protocol) modeltest.Reply {
	return func(modeltest.Protocol) modeltest.Reply {
		return modeltest.Reply{Status: status, Message: message, RetryAfter: "0.01"}
	}
}

const (
	readIt   = "what it had changed stands. The last tool it used: read README.md."
	nothingX = "Nothing of it is running any more"
)

// fates are all ends that a model, a server or a limit can bring about.
func fates() []fate {
	return []fate{
		{
			name: "finishing", child: after(func(modeltest.Protocol) modeltest.Reply { return modeltest.Say("It is all done.") }),
			state: "completed", output: "It is all done.",
			says: []string{"completed.", nothingX, "agent_send"}, card: "It is all done.",
		},
		{
			name: "silence", child: after(func(modeltest.Protocol) modeltest.Reply { return modeltest.Nothing() }),
			state: "completed_empty", output: "I have begun.",
			says: []string{"reported nothing", readIt, "Ask it for its findings"}, card: "ended without an answer",
		},
		{
			name: "outage", child: after(refused(503, "we are down")),
			state: "failed", kind: "provider", output: "I have begun.",
			says: []string{"failed (provider)", "we are down", readIt, "has already retried"}, card: "model server: ",
		},
		{
			name: "throttle", child: after(refused(429, "slow down")),
			state: "failed", kind: "rate_limited", output: "I have begun.",
			says: []string{"failed (rate_limited)", "slow down", readIt, "do not try again at once"}, card: "rate limit: ",
		},
		{
			name: "revoked key", child: after(func(p modeltest.Protocol) modeltest.Reply {
				return modeltest.Reply{Status: p.BadKey, Message: "the key is wrong"}
			}),
			state: "failed", kind: "auth", output: "I have begun.",
			says: []string{"failed (auth)", readIt, "fixed the key"}, card: "API key: ",
		},
		{
			name: "overflow", child: after(refused(400, "prompt is too long: 210000 tokens > 200000 maximum")),
			state: "failed", kind: "context_length", output: "I have begun.",
			says: []string{"failed (context_length)", readIt, "smaller parts"}, card: "conversation too long: ",
		},
		{
			name: "long answer", child: after(func(modeltest.Protocol) modeltest.Reply {
				return modeltest.Reply{Text: []string{"Half an ans"}, Stop: "length"}
			}),
			state: "failed", kind: "truncated", output: "Half an ans",
			says: []string{"failed (truncated)", readIt, "smaller parts"}, card: "answer too long: ",
		},
		{
			name: "bad wish", child: after(func(modeltest.Protocol) modeltest.Reply {
				return modeltest.Reply{Text: []string{"I would rather n"}, Stop: "refused"}
			}),
			state: "failed", kind: "refused", output: "I would rather n",
			says: []string{"failed (refused)", readIt, "do not repeat the same request"}, card: "refused by the model: ",
		},
		{
			name: "endless walk", child: func(modeltest.Protocol, modeltest.Request) modeltest.Reply { return begun() },
			state: "failed", kind: "max_steps", output: "I have begun.",
			says: []string{"failed (max_steps)", "limit of 4 steps", readIt, "smaller parts"}, card: "step limit: ",
		},
		{
			name: "spending", child: spending,
			state: "failed", kind: "budget", output: "This is what I have.",
			says: []string{"failed (budget)", "600,021 of 500,000 tokens (limits.run_max_tokens)", readIt, "do not start it again unless asked"}, card: "budget: ",
		},
		{
			name: "nobody's model", model: "nosuch/model", child: func(modeltest.Protocol, modeltest.Request) modeltest.Reply { return modeltest.Surprised() },
			state: "failed", kind: "setup", output: "(there was no text)",
			says: []string{"failed (setup)", "nosuch/model", "it had not begun, and changed nothing", "fix what the message names"}, card: "not started: ",
		},
	}
}

// spending uses more than a run may with its first step, and is told so.
func spending(_ modeltest.Protocol, h modeltest.Request) modeltest.Reply {
	if h.Asked("budget is used up") {
		return modeltest.Say("This is what I have.")
	}
	answer := begun()
	answer.Usage = modeltest.Usage{In: 600_000, Out: 21}
	return answer
}

// sendAll is a parent that sends one subagent to each fate, in one answer.
func sendAll(p modeltest.Protocol, all []fate, background bool) func(modeltest.Request) modeltest.Reply {
	var calls []modeltest.Call
	for _, f := range all {
		input := modeltest.Object{"description": f.name, "prompt": "go into " + f.name, "run_in_background": background}
		if f.model != "" {
			input["model"] = f.model
		}
		calls = append(calls, modeltest.Use("agent", input))
	}
	return func(h modeltest.Request) modeltest.Reply {
		for _, f := range all {
			if h.Child("go into " + f.name) {
				return f.child(p, h)
			}
		}
		switch {
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("That is how they stand.")
		}
		return modeltest.Do(calls...)
	}
}

func TestEveryFailureKindIsReachedAndToldAsItIs(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		all := fates()
		s := harness.NewStage(t, p, sendAll(p, all, false)).With("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000")
		r, errs, code := s.Prompted(t, "-p", "send them")
		require.Equal(t, 3, code, errs)
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Len(t, got, len(all))
		for i, f := range all {
			f.requireTold(t, got[i])
			require.Equal(t, got[i].Agent, r.Subagents[i].Agent)
			require.Equal(t, f.state, r.Subagents[i].Status, f.name)
			require.Equal(t, f.kind, r.Subagents[i].Error.Kind, f.name)
		}
		requireRecorded(t, s, r.Session, all)
		x := harness.StartSized(t, 120, 90, s.Dir, s.Env, s.Flags("--session", r.Session)...)
		for _, f := range all {
			x.See(f.name, f.card)
		}
		require.Equal(t, 0, x.Quit())
	})
}

// requireTold holds what a tool result says against what happened.
func (f fate) requireTold(t *testing.T, got harness.Told) {
	t.Helper()
	require.Equal(t, f.state, got.Status, f.name)
	require.Equal(t, f.kind, got.Error.Kind, f.name)
	require.Contains(t, got.Output, f.output, f.name) // a protocol may have the refusal beside it
	require.Equal(t, f.state != "completed" && f.kind != "setup", got.Partial, f.name)
	require.Contains(t, got.Message, nothingX, f.name)
	for _, words := range f.says {
		require.Contains(t, got.Message, words, f.name)
	}
}

// requireRecorded holds the records of a session against what happened.
func requireRecorded(t *testing.T, s *harness.Stage, session string, all []fate) {
	t.Helper()
	runs := exportedPage(t, s, session).delegated(t)
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
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		all := fates()
		s := harness.NewStage(t, p, sendAll(p, all, true)).With("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000", "PAWL_SUBAGENTS_MAX_BACKGROUND=12")
		r, errs, code := s.Prompted(t, "-p", "send them")
		require.Equal(t, 3, code, errs)
		histories := s.Server.All(modeltest.FromParent)
		h := histories[len(histories)-1]
		atOnce := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		var descriptions []string
		for i, f := range all {
			if status := atOnce[i].Status; status != "queued" && status != "running" { // it ended before its call came back, which told it
				f.requireTold(t, atOnce[i])
				require.Empty(t, noticeOf(h, f.name))
				continue
			}
			descriptions = append(descriptions, f.name)
			notice := noticeOf(h, f.name)
			require.Contains(t, notice, "<status>"+f.state+"</status>", f.name)
			require.Contains(t, notice, f.output, f.name)
			require.Equal(t, f.state != "completed" && f.kind != "setup", strings.Contains(notice, "The result is partial"), f.name)
			for _, words := range f.says {
				require.Contains(t, notice, words, f.name)
			}
		}
		require.Len(t, h.Notices(), len(descriptions))
		requireEachNoticeOnce(t, s.Server, descriptions...)
		requireRecorded(t, s, r.Session, all)
	})
}

// noticeOf is the notification about one subagent with the words behind it, as a
// model reads them.
func noticeOf(h modeltest.Request, description string) string {
	for _, m := range h.Messages {
		for _, part := range strings.Split(m.Text, "This message was written by Pawl") {
			if m.Role == "user" && strings.Contains(part, "Agent \""+description+"\"") {
				return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(part)
			}
		}
	}
	return ""
}

func TestPrintNamesTheEndsInWordsOfPeople(t *testing.T) {
	t.Parallel()
	p := modeltest.Anthropic()
	s := harness.NewStage(t, p, sendAll(p, fates(), false)).With("PAWL_LIMITS_MAX_STEPS=4", "PAWL_LIMITS_RUN_MAX_TOKENS=500000")
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "send them")...)
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
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("run into it") && h.Answered("read"):
			return modeltest.Do(modeltest.Use("grep", modeltest.Object{"pattern": "Add"}))
		case h.Child("run into it"):
			return begun()
		case h.Child("never begin"):
			return modeltest.Surprised()
		case len(h.ResultsOf("agent")) == 1 && h.ToldOf("never begin"):
			return modeltest.Do(modeltest.Delegate("a broken tool", "run into it"))
		case h.Answered("agent"):
			return modeltest.Say("Two bugs.")
		}
		return modeltest.Do(modeltest.Delegate("a broken run", "never begin"))
	})
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	sound := s.Env
	s.With("FAILPOINTS=worker=panic@2 tool.grep=panic")
	r, errs, code := s.PromptedBy(t, path, "-p", "meet the bugs")
	s.Env = sound // the other build knows no points
	require.Equal(t, 3, code, errs)
	require.Equal(t, "Two bugs.", r.Output)
	for i, want := range []fate{
		{name: "a broken run", state: "failed", kind: "panic", output: "(there was no text)", says: []string{"failed (panic)", "it had not begun", "a bug in Pawl"}},
		{name: "a broken tool", state: "failed", kind: "tool", output: "I have begun.", says: []string{"failed (tool)", "a bug in the tool grep", "The last tool it used: grep", "a bug in Pawl"}},
	} {
		got := harness.Tellings(t, s.Server.AwaitNth(t, i+1, modeltest.ParentTold("agent")))[0]
		require.Equal(t, string(want.kind), got.Error.Kind)
		require.Equal(t, want.output, got.Output)
		for _, words := range append(want.says, nothingX) {
			require.Contains(t, got.Message, words)
		}
		require.Equal(t, string(want.kind), r.Subagents[i].Error.Kind)
		requireRecorded(t, s, r.Session, []fate{want})
	}
	require.NotContains(t, errs, "goroutine ")
}
