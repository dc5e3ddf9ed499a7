package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// turnOf is one answer of the scripted model.
type turnOf = func(context.Context, func(Delta)) (Response, error)

// pages is a result of so many tokens, by the estimate.
func pages(tokens int) string { return strings.Repeat("page", tokens) }

// reads is a tool that gives so many tokens back.
func reads(name string, tokens int) Tool {
	one := tool(name, nil)
	one.Spec.Schema = []byte(`{}`)
	one.Run = func(context.Context, Invocation) Result { return Result{Text: pages(tokens)} }
	one.Label = func(json.RawMessage) string { return "a.go" }
	return one
}

var errTooMuch = &ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "too many tokens"}

func refusing(err error) turnOf {
	return func(context.Context, func(Delta)) (Response, error) { return Response{}, err }
}

// summaries are the summaries that were recorded.
func (st *stage) summaries() (all []lifecycle.Compacted) {
	for _, rec := range st.journal.records {
		if e, ok := rec.Event.(lifecycle.Compacted); ok {
			all = append(all, e)
		}
	}
	return all
}

// onlyMessage is the text of a request's one message.
func onlyMessage(t *testing.T, req Request) string {
	t.Helper()
	require.Len(t, req.Messages, 1)
	return req.Messages[0].Text()
}

// filling is a stage whose first answer was counted as so many tokens, and whose
// call brings 2,000 more.
func filling(t *testing.T, counted int64, then ...turnOf) *stage {
	st := newStage(t, append([]turnOf{paying(counted, calling(call("1", "look")))}, then...)...)
	st.tools, st.room = []Tool{reads("look", 2000)}, ModelInfo{Context: 100_000}
	return st
}

func (st *stage) played(prompts ...string) *stage {
	st.open()
	for _, prompt := range prompts {
		st.say(prompt)
		synctest.Wait()
	}
	return st
}

func TestAConversationIsSummedUpAtEightyPercentOfTheRoomAndNotBefore(t *testing.T) {
	for name, c := range map[string]struct {
		counted   int64
		room      ModelInfo
		summaries int
	}{
		"at 80 %":                         {78_000, ModelInfo{Context: 100_000}, 1},
		"a token before":                  {77_999, ModelInfo{Context: 100_000}, 0},
		"the answer's length is kept":     {70_000, ModelInfo{Context: 100_000, Output: 10_000}, 1},
		"and a token before":              {69_999, ModelInfo{Context: 100_000, Output: 10_000}, 0},
		"but a fifth at most":             {62_000, ModelInfo{Context: 100_000, Output: 90_000}, 1},
		"and a token before that":         {61_999, ModelInfo{Context: 100_000, Output: 90_000}, 0},
		"a context that nobody knows":     {900_000, ModelInfo{}, 0},
		"an answer that nobody counted":   {1, ModelInfo{Context: 100_000}, 0},
		"and one whose estimate is large": {1, ModelInfo{Context: 2_500}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := filling(t, c.counted, says("the words"), says("done"))
				st.room = c.room
				if c.summaries == 0 {
					st.model.turns = st.model.turns[:2]
				}
				st.played("go")
				defer st.close()
				require.Equal(t, lifecycle.StateCompleted, st.last().State)
				require.Len(t, st.summaries(), c.summaries)
				require.Len(t, st.model.requests(), 2+c.summaries)
			})
		})
	}
}

func TestTheSummaryStandsForAllBeforeItAndTheLogKeepsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 90_000, paying(900, says("Goal: the refunds.")), says("done"), says("again"))
		st.holds = func() string { return "- [ ] write the test" }
		st.played("audit the refunds")
		defer st.close()
		asked := st.model.requests()
		order := asked[1].Messages
		require.Equal(t, asked[0].System, asked[1].System, "so that the server's cache holds")
		require.Equal(t, asked[0].Tools, asked[1].Tools)
		require.Equal(t, Say(compactPrompt), order[len(order)-1])
		require.True(t, AsksForSummary(asked[1]))
		require.False(t, AsksForSummary(asked[2]))
		require.True(t, IsSummary(asked[2].Messages[0]))
		require.Empty(t, Unanswered(order))
		text := onlyMessage(t, asked[2])
		require.Contains(t, text, "Pawl wrote this message, not a human.")
		require.Contains(t, text, "# Summary\n\nGoal: the refunds.")
		require.Contains(t, text, "<message>\naudit the refunds\n</message>")
		require.Contains(t, text, "# What stands\n\n- [ ] write the test")
		require.Contains(t, text, "# Your subagents and shells\n\nNone is queued or running")
		require.Contains(t, text, "You are in the middle of your work.")
		require.NotContains(t, text, "page")
		done := st.summaries()[0]
		require.Equal(t, lifecycle.Compacted{Summary: "Goal: the refunds.", Before: 92_000, After: tokens(len("sys")+len("look{}")) + tokens(len(text))}, done)
		require.Equal(t, int64(90_000+900+12), st.last().Usage.Tokens(), "what the summary used is counted")
		require.Equal(t, []string{
			"spawned", "started", "step_started", "text", "usage", "tool_started", "tool_ended",
			"usage", "compacted", "step_started", "text", "usage", "ended",
		}, st.events(), "what the model writes of a summary is no text of the run")

		entries, err := st.journal.of(t.Context(), root)
		require.NoError(t, err)
		require.Len(t, entries, 5, "the words, the call, the result, the summary, the answer")
		st.say("and now?") // a run of its own begins with the stored transcript
		synctest.Wait()
		again := st.model.requests()[3].Messages
		require.Equal(t, []Message{Say(text), {Role: RoleAssistant, Parts: []Part{{Text: "done"}}}, Say("and now?")}, again)
	})
}

func TestCallsInASummaryAreNeitherRunNorKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		st := filling(t, 90_000, calling(call("2", "look")), says("done"))
		run := st.tools[0].Run
		st.tools[0].Run = func(ctx context.Context, i Invocation) Result { ran++; return run(ctx, i) }
		st.played("go")
		defer st.close()
		require.Equal(t, 1, ran)
		require.Equal(t, "let me see", st.summaries()[0].Summary)
		require.Equal(t, 1, count(st.events(), "tool_started"))
		require.Equal(t, "done", st.last().Result)
	})
}

func TestAStopWhileSummingUpLeavesTheConversationAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here := make(chan struct{})
		st := filling(t, 90_000, func(ctx context.Context, on func(Delta)) (Response, error) {
			on(Delta{Text: "Goal: the"})
			close(here)
			<-ctx.Done()
			return Response{}, ctx.Err()
		}, says("the words"), says("after"))
		st.open().say("go")
		<-here
		synctest.Wait()
		var shown lifecycle.Progress
		ctx, cancel := context.WithCancel(t.Context())
		require.ErrorIs(t, st.s.Watch(ctx, root, 0, func(u lifecycle.Updates) {
			shown = u.Progress[0]
			cancel()
		}), context.Canceled)
		require.Equal(t, summingUp, st.last().Activity(shown, time.Now()))
		require.Equal(t, int64(2), shown.OutputTokens, "how much of it there is")
		require.Equal(t, time.Now(), shown.Summarizing)
		require.Empty(t, shown.Text, "nobody is shown a summary as an answer")
		before := st.transcript()
		st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
		synctest.Wait()
		require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
		require.Equal(t, before, st.transcript())
		require.Empty(t, st.summaries())
		st.room = ModelInfo{Context: 2_500} // by the estimate it is full again
		st.say("go on")
		synctest.Wait()
		defer st.close()
		require.Equal(t, "after", st.last().Result)
		require.Len(t, st.summaries(), 1)
		require.Contains(t, st.transcript()[0].Text(), "Not answered yet: these came after your last answer\n\n<message>\ngo on\n</message>")
	})
}

func TestASummaryIsAskedForAgainLikeAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 90_000, failing(StatusError(429, 40*time.Second, "slow down", nil)), says("the words"), says("done"))
		st.played("go")
		require.Equal(t, "slow down (HTTP 429); asking again in 40s", st.last().Waiting.Why)
		require.False(t, st.last().Waiting.Discarded, "no text of the run is taken back")
		<-time.After(time.Minute)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Len(t, st.summaries(), 1)
	})
}

func TestARunThatCannotBeSummedUpFailsWithTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 90_000, refusing(&ProviderError{Kind: lifecycle.FailAuth, Message: "the key is gone"}))
		st.played("go")
		defer st.close()
		require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: "the key is gone"}, st.last().Error)
		require.Len(t, st.transcript(), 3)
		require.Empty(t, Unanswered(st.transcript()))
	})
}

func TestAStepThatTurnsOutTooLongIsMadeOnceMoreAfterASummary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, refusing(errTooMuch), says("the words"), says("done"))
		st.room = ModelInfo{} // also where nobody knows the context
		st.played("go")
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Equal(t, 2, st.last().Step, "it is the same step")
		require.Len(t, st.summaries(), 1)
		require.Contains(t, onlyMessage(t, st.model.requests()[3]), "the words")
	})
}

func TestWhatATooLongStepHadShownIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, failing(errTooMuch), says("the words"), refusing(&ProviderError{Kind: lifecycle.FailAuth, Message: "the key is gone"}))
		st.played("go")
		defer st.close()
		require.Equal(t, lifecycle.FailAuth, st.last().Error.Kind)
		require.Empty(t, st.last().Partial)
		require.Len(t, st.transcript(), 1)
	})
}

func TestACrashWhileSummingUpLeavesTheConversationAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found := &memory{}
		var st *stage
		st = filling(t, 90_000, func(ctx context.Context, on func(Delta)) (Response, error) {
			st.journal.mu.Lock()
			found.records, found.entries, found.runs = slices.Clone(st.journal.records), slices.Clone(st.journal.entries), slices.Clone(st.journal.runs)
			st.journal.mu.Unlock()
			return says("the words")(ctx, on)
		}, says("done"))
		st.played("go")
		st.close()
		next := newStage(t, says("on I go"))
		next.tools, next.journal = st.tools, found
		next.played("go on")
		defer next.close()
		require.Equal(t, "on I go", next.last().Result)
		require.Len(t, next.model.requests()[0].Messages, 4, "the words, the call, its result, the words after")
		require.Empty(t, next.summaries())
	})
}

func TestAStepThatIsStillTooLongFailsAndNothingGoesRound(t *testing.T) {
	for name, c := range map[string]struct {
		then     []turnOf
		requests int
	}{
		"after a summary":            {[]turnOf{refusing(errTooMuch), says("the words"), refusing(errTooMuch)}, 4},
		"and a summary of Pawl's":    {[]turnOf{refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch)}, 6},
		"and of an answer with none": {[]turnOf{refusing(errTooMuch), says(" "), refusing(errTooMuch)}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := filling(t, 10, c.then...)
				st.played("go")
				defer st.close()
				require.Equal(t, lifecycle.FailContextLength, st.last().Error.Kind)
				require.Len(t, st.model.requests(), c.requests)
				require.Len(t, st.summaries(), 1)
				require.Len(t, st.transcript(), 1)
			})
		})
	}
}

func TestARequestForASummaryThatIsTooLongIsShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, refusing(errTooMuch), refusing(errTooMuch), says("the words"), says("done"))
		st.played("go")
		defer st.close()
		asked := st.model.requests()
		require.Less(t, estimate(asked[3].Messages), estimate(asked[2].Messages)/2)
		require.Empty(t, Unanswered(asked[3].Messages))
		require.Contains(t, asked[3].Messages[2].Parts[0].Result.Text, "bytes left out")
		require.Equal(t, "the words", st.summaries()[0].Summary)
	})
}

func TestWhereNoModelSumsUpPawlSaysWhatItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch), says("done"))
		st.played("go")
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		text := onlyMessage(t, st.model.requests()[5])
		require.Contains(t, text, "The model could not summarize the conversation.")
		require.Contains(t, text, "Your last text:\n\nlet me see")
		require.Contains(t, text, "- look a.go")
		require.Contains(t, text, "<message>\ngo\n</message>")
	})
}

func TestASummaryThatLeavesTooMuchIsNotMadeAgainUntilTheConversationHasGrown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := []turnOf{says("the words")}
		for i := range 3 {
			turns = append(turns, paying(85_000, calling(call(fmt.Sprint(i+2), "look")))) // a system prompt that no estimate knew
		}
		turns = append(turns, paying(94_000, calling(call("9", "look"))), says("the words again"), says("done"))
		st := filling(t, 90_000, turns...)
		st.played("go")
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Len(t, st.summaries(), 2)
		require.Equal(t, int64(96_000), st.summaries()[1].Before)
	})
}

func TestARunBeginsWithAnEstimateOfAllAndCountsPicturesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "look")), says("seen"), says("the words"), says("done"))
		st.tools, st.room = []Tool{reads("look", 10)}, ModelInfo{Context: 100_000}
		run := st.tools[0].Run
		st.tools[0].Run = func(ctx context.Context, i Invocation) Result {
			r := run(ctx, i)
			r.Images = make([]Image, 30)
			return r
		}
		st.model.turns[1] = paying(100, says("seen")) // its server does not count them
		st.played("go", "and now? "+pages(32_000))
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Len(t, st.summaries(), 1, "the pictures count")
		require.Equal(t, 1, st.last().Step, "it came before the first step")
		require.Contains(t, onlyMessage(t, st.model.requests()[3]), "<message>\nand now? page")
	})
}

func TestALongPromptAloneIsTriedAsItIsAndThenCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, refusing(errTooMuch), says("done"))
		st.room = ModelInfo{Context: 10_000}
		st.played("see: " + pages(20_000) + " what is it?")
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		text := onlyMessage(t, st.model.requests()[1])
		require.Less(t, len(text), 15_000)
		require.Contains(t, text, "<message>\nsee: page")
		require.Contains(t, text, "what is it?\n</message>")
	})
}

func TestASubagentIsSummedUpInTheSameWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, says("the words"), says("reported"), says("parent done"))
		st.model.turns = append([]turnOf{calling(call("0", "start"))}, append([]turnOf{paying(90_000, calling(call("1", "look")))}, st.model.turns[1:]...)...)
		st.tools = append(st.tools, starting("start", "dig here", false))
		st.played("go")
		defer st.close()
		require.Equal(t, "reported", st.last().Result, "the child's run is the newest")
		text := onlyMessage(t, st.model.requests()[3])
		require.Contains(t, text, "<message>\ndig here\n</message>")
		require.NotContains(t, text, "# Your subagents")
	})
}
