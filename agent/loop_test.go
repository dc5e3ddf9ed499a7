package agent

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestResultsStandInTheOrderOfTheirCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "slow"), call("2", "quick")), says("done"))
		st.tools = []Tool{tool("slow", func(context.Context) { <-time.After(time.Minute) }), tool("quick", nil)}
		st.open().say("go")
		<-time.After(2 * time.Minute)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Equal(t, []Message{
			Say("go"),
			{Role: RoleAssistant, Parts: []Part{{Text: "let me see"}, {Call: &Call{ID: "1", Name: "slow", Input: []byte("{}")}}, {Call: &Call{ID: "2", Name: "quick", Input: []byte("{}")}}}},
			{Role: RoleTool, Parts: []Part{{Result: &CallResult{Call: "1", Name: "slow", Text: "slow gave this"}}, {Result: &CallResult{Call: "2", Name: "quick", Text: "quick gave this"}}}},
			{Role: RoleAssistant, Parts: []Part{{Text: "done"}}},
		}, st.transcript())
		require.Equal(t, st.transcript()[:3], st.model.requests()[1].Messages, "the model sees what is stored")
		require.Equal(t, []string{
			"spawned", "started", "step_started", "text", "usage", "tool_started", "tool_started",
			"tool_ended", "tool_ended", "step_started", "text", "usage", "ended",
		}, st.events())
		require.Equal(t, lifecycle.Usage{InputTokens: 10, OutputTokens: 2, Steps: 2, ToolCalls: 2}, st.last().Usage)
	})
}

func TestAStopAtAnyPointLeavesNoCallWithoutResult(t *testing.T) {
	for _, point := range []string{"before the answer", "in the answer", "in a tool", "between two tools"} {
		t.Run(point, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here := make(chan struct{})
				pause := func(ctx context.Context, at string) {
					if at == point {
						close(here)
						<-ctx.Done()
					}
				}
				first := func(ctx context.Context, on func(Delta)) (Response, error) {
					pause(ctx, "before the answer")
					on(Delta{Text: "let me"})
					pause(ctx, "in the answer")
					if ctx.Err() != nil {
						return Response{}, ctx.Err()
					}
					return calling(call("1", "a"), call("2", "b"))(ctx, on)
				}
				st := newStage(t, first, says("done"), says("after"))
				changes := func(name string, do func(context.Context)) Tool {
					tl := tool(name, do)
					tl.ReadOnly = false
					tl.Effect = func(context.Context, Invocation) (Effect, error) { return Effect{Kind: EffectEdit}, nil }
					return tl
				}
				st.tools = []Tool{
					changes("a", func(ctx context.Context) { pause(ctx, "in a tool") }),
					changes("b", func(ctx context.Context) { pause(ctx, "between two tools") }),
				}
				st.permit = func(Effect) Decision { return Decision{Allow: true} }
				st.open().say("go")
				<-here
				st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
				synctest.Wait()
				require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
				require.Empty(t, Unanswered(st.transcript()))
				if point == "in the answer" {
					require.Equal(t, "let me", st.last().Partial)
					require.Equal(t, "let me", st.transcript()[1].Text(), "what was shown is kept for the model")
				}
				n := len(st.model.requests())
				st.model.turns = append(st.model.turns[:n:n], says("after"))
				st.say("go on")
				synctest.Wait()
				defer st.close()
				require.Equal(t, "after", st.last().Result)
				require.Empty(t, Unanswered(st.model.requests()[n].Messages))
			})
		})
	}
}

func TestChangesHappenInTheOrderOfTheirCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		change := func(name string, d time.Duration) Tool {
			tl := tool(name, func(context.Context) { <-time.After(d); order = append(order, name) })
			tl.ReadOnly, tl.Effect = false, func(context.Context, Invocation) (Effect, error) { return Effect{Kind: EffectEdit}, nil }
			return tl
		}
		st := newStage(t, calling(call("1", "long"), call("2", "short")), says("done"))
		st.tools = []Tool{change("long", time.Hour), change("short", 0)}
		st.permit = func(Effect) Decision { return Decision{Allow: true} }
		st.open().say("go")
		<-time.After(2 * time.Hour)
		synctest.Wait()
		defer st.close()
		require.Equal(t, []string{"long", "short"}, order)
	})
}

func TestWhatTheModelGetsWrongIsAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := call("2", "a")
		broken.Input = json.RawMessage(`{"path": `)
		st := newStage(t, calling(call("1", "nope"), broken), says("sorry"))
		st.tools = []Tool{tool("a", nil)}
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		results := st.transcript()[2].Parts
		require.Equal(t, `There is no tool "nope". The tools are: a.`, results[0].Result.Text)
		require.Contains(t, results[1].Result.Text, "not valid JSON")
		require.Equal(t, "sorry", st.last().Result, "and the run goes on")
	})
}

func TestADenialIsToldAndKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "shell")), says("then not"))
		shell := tool("shell", func(context.Context) { t.Error("it must not run") })
		shell.ReadOnly, shell.Effect = false, func(context.Context, Invocation) (Effect, error) {
			return Effect{Kind: EffectShell, Subject: "rm -rf x", View: CommandView{Command: "rm -rf x"}}, nil
		}
		st.tools = []Tool{shell}
		st.open().say("go")
		synctest.Wait()
		asked := st.last().Asked
		require.Len(t, asked, 1)
		require.Equal(t, "rm -rf x", asked[0].Subject)
		require.Equal(t, string(EffectShell), asked[0].Effect)
		st.do(lifecycle.Resolve{Question: asked[0].ID, Answer: lifecycle.Answer{Reason: "use git clean"}})
		synctest.Wait()
		defer st.close()
		require.Contains(t, st.transcript()[2].Parts[0].Result.Text, "Denied: the user said no to this call, and wrote: use git clean\n")
		require.Len(t, st.last().Denials, 1)
		require.Equal(t, "then not", st.last().Result)
	})
}

func TestAnEmptyResultIsNeverGivenToAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "quiet")), says("ok"))
		st.tools = []Tool{{Spec: ToolSpec{Name: "quiet"}, ReadOnly: true, Run: func(context.Context, Invocation) Result { return Result{Text: " \n"} }}}
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, "(the tool gave no output)", st.transcript()[2].Parts[0].Result.Text)
	})
}

func TestAPanicInAToolEndsTheRunAndAnswersTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "bad")))
		st.tools = []Tool{tool("bad", func(context.Context) { panic("nil map") })}
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.FailTool, st.last().Error.Kind)
		require.Empty(t, Unanswered(st.transcript()))
	})
}

func TestTheStepLimitOfAType(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "a")), calling(call("2", "a")), calling(call("3", "a")))
		st.tools, st.steps = []Tool{tool("a", nil)}, 2
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.FailMaxSteps, st.last().Error.Kind)
		require.Len(t, st.model.requests(), 2)
	})
}

func TestStreamedTextIsRecordedEverySecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, on func(Delta)) (Response, error) {
			for _, word := range []string{"one ", "two ", "three "} {
				on(Delta{Text: word})
				select {
				case <-time.After(1500 * time.Millisecond):
				case <-ctx.Done():
					return Response{}, ctx.Err()
				}
			}
			<-ctx.Done()
			return Response{}, ctx.Err()
		}
		st := newStage(t, slow)
		st.open().say("go")
		<-time.After(3 * time.Second) // after "two", before "three"
		synctest.Wait()
		require.Equal(t, "one two ", st.last().Partial, "a crash now loses nothing")
		st.close()
		require.Equal(t, "one two three ", st.last().Partial)
	})
}

func TestACutOffCallIsAnsweredBeforeTheNextRequestInTheOrderOfTheCalls(t *testing.T) {
	for at, lost := range []lifecycle.CallID{"1", "2"} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t, says("I see"))
			st.journal.runs = []lifecycle.Run{{ID: "dead", Session: root, Spec: lifecycle.Spec{Root: root}, State: lifecycle.StateInterrupted}}
			st.journal.records = make([]lifecycle.Record, 1)
			calls := []Part{{Call: &Call{ID: "1", Name: "a", Input: []byte("{}")}}, {Call: &Call{ID: "2", Name: "a", Input: []byte("{}")}}}
			calls[at].Call.Name = "lostable"
			st.journal.entries = []lifecycle.Entry{
				{Session: root, Kind: lifecycle.EntryUser, Body: encode(lifecycle.Said{From: "user", Text: "go"})},
				assistantEntry(root, "dead", "test/m", StopToolCalls, Message{Role: RoleAssistant, Parts: calls}),
				resultEntry(root, "dead", CallResult{Call: calls[1-at].Call.ID, Name: "a", Text: "done in time"}),
			}
			lostable := tool("lostable", nil)
			lostable.Lost = func(Invocation) Result { return ErrorResult("the agent was interrupted") }
			st.tools = []Tool{tool("a", nil), lostable}
			st.open().say("what happened?")
			synctest.Wait()
			defer st.close()
			asked := st.model.requests()[0].Messages
			require.Empty(t, Unanswered(asked))
			require.Equal(t, lost, asked[2].Parts[at].Result.Call)
			require.Equal(t, "the agent was interrupted", asked[2].Parts[at].Result.Text)
			require.Equal(t, "done in time", asked[2].Parts[1-at].Result.Text)
			require.Equal(t, "what happened?", asked[3].Text())
			require.Equal(t, asked, st.transcript()[:4], "and it is stored so")
		})
	}
}

func TestASubagentThatEndsWithoutTextIsNudgedOnce(t *testing.T) {
	for name, row := range map[string]struct {
		second string
		want   lifecycle.State
	}{
		"and then reports": {"found 3", lifecycle.StateCompleted},
		"and stays silent": {"", lifecycle.StateCompletedEmpty},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, calling(call("1", "spawn")), says(""), says(row.second), says("parent done"))
				var got lifecycle.Run
				st.tools = []Tool{{Spec: ToolSpec{Name: "spawn"}, Run: func(ctx context.Context, in Invocation) Result {
					run, err := in.Scope.Start(lifecycle.Spec{Call: in.Call, Description: "look", Prompt: "look", Model: "test/m"}, "")
					if err == nil {
						got, err = in.Scope.Wait(ctx, run.ID)
					}
					if err != nil {
						return ErrorResult(err.Error())
					}
					return Result{Text: "ended", Consumes: []lifecycle.Told{{Run: run.ID, By: lifecycle.ByToolResult}}}
				}}}
				st.open().say("go")
				synctest.Wait()
				defer st.close()
				require.Equal(t, row.want, got.State)
				require.Equal(t, 1, got.Nudges)
				require.Contains(t, st.model.requests()[2].Messages[len(st.model.requests()[2].Messages)-1].Text(), "Report what you found")
			})
		})
	}
}

func TestAParentThatEndsWithoutTextIsNotNudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says(""))
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.StateCompletedEmpty, st.last().State)
		require.Len(t, st.model.requests(), 1)
	})
}

func TestSubagentsTakeTheirPlacesInTheOrderOfTheirCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		place := func(name string, slow time.Duration) Tool {
			return Tool{Spec: ToolSpec{Name: name}, Run: func(_ context.Context, in Invocation) Result {
				<-time.After(slow)
				order = append(order, name)
				in.Started()
				<-time.After(time.Hour)
				return Result{Text: "ok"}
			}}
		}
		st := newStage(t, calling(call("1", "first"), call("2", "second"), call("3", "third")), says("done"))
		st.tools = []Tool{place("first", time.Minute), place("second", time.Second), place("third", 0)}
		begun := time.Now()
		st.open().say("go")
		<-time.After(2 * time.Hour)
		synctest.Wait()
		defer st.close()
		require.Equal(t, []string{"first", "second", "third"}, order)
		require.Less(t, st.last().EndedAt.Sub(begun), 2*time.Hour, "and then they run side by side")
	})
}

func TestHiddenToolsAreOfferedBehindTheOthersOnceTheyAreFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t,
			calling(call("1", "search")), calling(call("2", "found"), call("3", "search")), says("done"),
			calling(call("4", "unfound")), says("again"))
		search := tool("search", nil)
		search.Run = func(_ context.Context, call Invocation) Result {
			if call.Call == "1" {
				return Result{Text: "found, gone", Offers: []string{"found", "gone"}}
			}
			return Result{Text: "another", Offers: []string{"found", "another"}}
		}
		st.tools, st.hidden = []Tool{tool("zoo", nil), search}, []Tool{tool("another", nil), tool("found", nil), tool("unfound", nil)}
		st.open().say("go")
		synctest.Wait()
		require.Equal(t, "done", st.last().Result)
		st.say("go on")
		synctest.Wait()
		defer st.close()
		require.Equal(t, "again", st.last().Result)
		var offered [][]string
		for _, request := range st.model.requests() {
			var names []string
			for _, spec := range request.Tools {
				names = append(names, spec.Name)
			}
			offered = append(offered, names)
		}
		require.Equal(t, [][]string{
			{"zoo", "search"},
			{"zoo", "search", "found"},
			{"zoo", "search", "found", "another"},
			{"zoo", "search", "found", "another"},
			{"zoo", "search", "found", "another"}, // and in the next run
		}, offered)
		last := st.transcript()
		require.Equal(t, "unfound gave this", last[len(last)-2].Parts[0].Result.Text, "one that was not offered can be called")
	})
}

// lost is the port of a run whose calls cannot be answered: the disk is full.
type lost struct{ Port }

func (lost) Run() lifecycle.Run { return lifecycle.Run{Spec: lifecycle.Spec{Model: "test/m"}} }

func (lost) Answered(lifecycle.Entry, lifecycle.ToolEnded, *lifecycle.FilesChanged, []lifecycle.Told) error {
	return errors.New("no space left on device")
}

func TestARunThatCannotBeginGivesItsToolsBack(t *testing.T) {
	closed := 0
	loop := Loop{
		Resolve: func(string) (Provider, string, error) { return nil, "m", nil },
		Entries: func(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) {
			c := call("1", "look")
			return []lifecycle.Entry{assistantEntry(root, "", "m", StopToolCalls, Message{Role: RoleAssistant, Parts: []Part{{Call: &c}}})}, nil
		},
		Kit: func(context.Context, lifecycle.Run) (Kit, error) { return Kit{Close: func() { closed++ }}, nil },
	}
	require.EqualError(t, loop.Work(t.Context(), lost{}).Err, "no space left on device")
	require.Equal(t, 1, closed)
}
