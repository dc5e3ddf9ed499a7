package agent

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// heeding are hooks that note what they are asked about, and say by event what stands
// here.
type heeding struct {
	says  map[HookEvent]HookResult
	mu    sync.Mutex
	asked []string
}

func (h *heeding) ask(_ context.Context, o HookInput) HookResult {
	about := o.Call.Name + o.Text
	if o.Result != nil {
		about += " gave " + o.Result.Text
	}
	if o.Again {
		about += " again"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, strings.TrimSpace(fmt.Sprint(o.Event, " ", about)))
	return h.says[o.Event]
}

// doing is a tool that changes something.
func doing(name string, ran *int) Tool {
	t := tool(name, func(context.Context) { *ran++ })
	t.ReadOnly = false
	t.Effect = func(context.Context, Invocation) (Effect, error) {
		return Effect{Kind: EffectShell, Subject: "do it"}, nil
	}
	return t
}

// hookedRun plays a run that calls do and look once, under these rules and hooks.
func hookedRun(t *testing.T, allow, ask bool, h *heeding) (*stage, *int) {
	ran := new(int)
	st := newStage(t, calling(call("1", "do"), call("2", "look")), says("done"), says("done again"))
	st.tools = []Tool{doing("do", ran), tool("look", nil)}
	st.permit = func(Effect) Decision { return Decision{Allow: allow, Ask: ask, Reason: "the rule"} }
	st.hooks = h.ask
	return st.open(), ran
}

func (st *stage) results() (texts []string) {
	for _, m := range st.transcript() {
		for _, part := range m.Parts {
			if part.Result != nil {
				texts = append(texts, part.Result.Text)
			}
		}
	}
	return texts
}

func TestHooksAreAskedAroundEveryCallAndNotAboutWhatTheRulesRefuse(t *testing.T) {
	for name, row := range map[string]struct {
		allow  bool
		says   map[HookEvent]HookResult
		asked  []string
		ran    int
		result string // begins the result of do
	}{
		"the rules refuse": {
			false, nil, []string{"SessionStart", "PreToolUse look", "PostToolUse look gave look gave this", "Stop done"}, 0, "Denied: the rule",
		},
		"a hook refuses": {
			true,
			map[HookEvent]HookResult{HookPreToolUse: {Decision: HookDeny, Reason: "not on Fridays"}},
			[]string{"SessionStart", "PreToolUse do", "PreToolUse look", "Stop done"},
			0, "Denied: a user hook refused it: not on Fridays",
		},
		"a hook allows": { // as the rules do
			true, map[HookEvent]HookResult{HookPreToolUse: {Decision: HookAllow, Context: "with <care>"}}, nil, 1, "do gave this\n\n<hook-message event=\"PreToolUse\">",
		},
		"a hook objects afterwards": {
			true, map[HookEvent]HookResult{HookPostToolUse: {Decision: HookDeny, Reason: "it is red", Context: "line 3"}}, nil, 1, "do gave this\n\n<hook-message event=\"PostToolUse\">",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &heeding{says: row.says}
				st, ran := hookedRun(t, row.allow, false, h)
				defer st.close()
				st.say("go")
				synctest.Wait()
				require.Equal(t, "done", st.last().Result)
				require.Equal(t, row.ran, *ran)
				require.True(t, strings.HasPrefix(st.results()[0], row.result), st.results()[0])
				if row.asked != nil {
					require.ElementsMatch(t, row.asked, h.asked)
				}
				switch name {
				case "a hook refuses":
					require.Len(t, st.last().Denials, 2)
					require.Equal(t, lifecycle.Denial{Call: "1", Tool: "do", Subject: "do it", By: "hook", Reason: "not on Fridays", At: st.last().Denials[0].At}, st.last().Denials[0])
				case "a hook allows":
					require.Contains(t, st.results()[0], "with &lt;care&gt;")
				case "a hook objects afterwards":
					require.Contains(t, st.results()[0], "it is red")
					require.Contains(t, st.results()[0], "line 3")
				}
			})
		})
	}
}

func TestAHookTurnsAnAllowIntoAQuestionThatSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heeding{says: map[HookEvent]HookResult{HookPreToolUse: {Decision: HookAsk, Reason: "the hook failed", Warnings: []string{"the hook failed"}}}}
		st, ran := hookedRun(t, true, false, h)
		defer st.close()
		st.say("go")
		synctest.Wait()
		require.Zero(t, *ran)
		for _, tool := range []string{"do", "look"} { // also about one that only reads
			require.Len(t, st.last().Asked, 1)
			q := st.last().Asked[0]
			require.Equal(t, []string{tool, "the hook failed"}, []string{q.Tool, q.Why})
			require.Empty(t, q.Rules)
			st.do(lifecycle.Resolve{Question: q.ID, Answer: lifecycle.Answer{Allow: true}})
			synctest.Wait()
		}
		require.Equal(t, 1, *ran)
		require.Equal(t, "done", st.last().Result)
		require.Equal(t, lifecycle.Warned{Kind: lifecycle.WarnHook, Message: "the hook failed"}, st.last().Warnings[0])
	})
}

func TestAStopHookIsHeardOnceARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heeding{says: map[HookEvent]HookResult{HookStop: {Decision: HookDeny, Reason: "run the tests"}}}
		st, _ := hookedRun(t, true, false, h)
		defer st.close()
		st.say("go")
		synctest.Wait()
		require.Equal(t, lifecycle.StateCompleted, st.last().State)
		require.Equal(t, "done again", st.last().Result)
		require.Equal(t, []string{"Stop done", "Stop done again again"}, h.asked[len(h.asked)-2:])
		requests := st.model.requests()
		last := requests[2].Messages
		require.Contains(t, last[len(last)-1].Text(), "run the tests")
		require.Contains(t, last[len(last)-1].Text(), "not from a person")
	})
}

func TestHooksSpeakToAModelAtItsStartOrKeepASubagentFromStarting(t *testing.T) {
	for _, deny := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := &heeding{says: map[HookEvent]HookResult{
				HookSessionStart:  {Context: "it is Friday"},
				HookSubagentStart: {Context: "read the rules"},
			}}
			if deny {
				h.says[HookSubagentStart] = HookResult{Decision: HookDeny, Reason: "no subagents here"}
			}
			st := newStage(t, calling(call("1", "start")), says("found"), says("done"))
			if deny {
				st.model.turns = []func(context.Context, func(Delta)) (Response, error){calling(call("1", "start")), says("done")}
			}
			st.tools = []Tool{starting("start", "dig", false)}
			st.hooks = h.ask
			st.open().say("go")
			synctest.Wait()
			defer st.close()
			require.Contains(t, st.transcript()[1].Text(), "it is Friday")
			snap, err := st.s.Snapshot(root)
			require.NoError(t, err)
			child := snap.Runs[1]
			if deny {
				require.Equal(t, lifecycle.FailSetup, child.Error.Kind)
				require.Contains(t, child.Error.Message, "no subagents here")
				require.Contains(t, h.asked, "SubagentStart dig")
				require.NotContains(t, h.asked, "SubagentStop found")
				return
			}
			require.Equal(t, "found", child.Result)
			require.Contains(t, h.asked, "SubagentStop found")
			require.Contains(t, st.model.requests()[1].Messages[1].Text(), "read the rules")
			require.Equal(t, "a SubagentStart hook told the model: read the rules", child.Warnings[0].Message)
		})
	}
}

func TestAStopWhileAHookThinksGivesEveryCallItsResult(t *testing.T) {
	for _, event := range []HookEvent{HookPreToolUse, HookPostToolUse, HookStop, HookSessionStart} {
		t.Run(string(event), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &heeding{}
				st, ran := hookedRun(t, true, false, h)
				defer st.close()
				st.hooks = func(ctx context.Context, o HookInput) HookResult {
					if o.Event == event {
						<-ctx.Done()
						return HookResult{Decision: HookAllow}
					}
					return HookResult{}
				}
				st.say("go")
				synctest.Wait()
				st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
				synctest.Wait()
				require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
				if event == HookPreToolUse {
					require.Zero(t, *ran)
				}
				if event != HookSessionStart {
					require.Len(t, st.results(), 2)
				}
				require.Empty(t, Unanswered(st.transcript()))
			})
		})
	}
}
