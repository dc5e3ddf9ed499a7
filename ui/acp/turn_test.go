package acp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

var (
	begun = []lifecycle.Event{lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{}}
	whole = lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"}
)

func TestAPromptIsOverWhenTheParentIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
		l.happens("root", "p1", begun...)
		l.happens("child", "c1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Background: true, Call: "x"}}, lifecycle.Started{})
		synctest.Wait()
		requirePromptOpen(t, over)
		l.happens("root", "p1", whole)
		require.Equal(t, ending{reason: sdk.StopReasonEndTurn}, <-over) // the child works on
		l.close(lifecycle.CauseQuit)
	})
}

func TestASecondPromptIsOverWhenItsMessageHasBeenAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		first := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
		synctest.Wait()
		second := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}, Message: "m"})
		l.happens("root", "p1", begun...)
		l.happens("root", "p1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "go"}})
		l.happens("root", "p1", whole)
		require.Equal(t, sdk.StopReasonEndTurn, (<-first).reason)
		synctest.Wait()
		requirePromptOpen(t, second) // left over: the next run takes it
		l.happens("root", "p2", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.MessageTaken{Message: "m", Step: 1, From: lifecycle.FromUser, Text: "go"})...)
		synctest.Wait()
		requirePromptOpen(t, second)
		l.happens("root", "p2", whole)
		require.Equal(t, sdk.StopReasonEndTurn, (<-second).reason)
		l.close(lifecycle.CauseQuit)
	})
}

func TestHowAPromptEnds(t *testing.T) {
	failed := func(kind lifecycle.FailureKind) lifecycle.Ended {
		return lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: kind, Message: "ask the model:\nno"}}
	}
	for name, row := range map[string]struct {
		end    lifecycle.Ended
		reason sdk.StopReason
		error  string
	}{
		"an answer":            {end: whole, reason: sdk.StopReasonEndTurn},
		"none":                 {end: lifecycle.Ended{State: lifecycle.StateCompletedEmpty}, reason: sdk.StopReasonEndTurn},
		"one that was cut":     {end: failed(lifecycle.FailTruncated), reason: sdk.StopReasonMaxTokens},
		"a refusal":            {end: failed(lifecycle.FailRefused), reason: sdk.StopReasonRefusal},
		"too many steps":       {end: failed(lifecycle.FailMaxSteps), reason: sdk.StopReasonMaxTurnRequests},
		"a stop":               {end: lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseCommand}, reason: sdk.StopReasonCancelled},
		"a wrong key":          {end: failed(lifecycle.FailAuth), error: "API key: ask the model: no"},
		"the end of Pawl":      {end: lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd}, error: errCutOff.Error()},
		"what cannot be saved": {end: failed(lifecycle.FailJournal), error: "not saved: ask the model: no"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newFixture(t, 0)
				l.follow(false)
				over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
				l.happens("root", "p1", append(begun, row.end)...)
				got := <-over
				require.Equal(t, row.reason, got.reason)
				var refused *sdk.RequestError
				if row.error != "" {
					require.ErrorAs(t, got.err, &refused)
					require.Equal(t, row.error, refused.Message)
				} else {
					require.NoError(t, got.err)
				}
				l.close(lifecycle.CauseQuit)
			})
		})
	}
}

func TestAPromptThatNoRunTookEndsAsTheRunThatGaveItBack(t *testing.T) {
	for name, row := range map[string]struct {
		end    lifecycle.Ended
		reason sdk.StopReason
		error  string
	}{
		"a failure before the first step": {
			end:   lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailBudget, Message: "today's budget is used up"}},
			error: "budget: today's budget is used up",
		},
		"a stop":                    {end: lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseCommand}, reason: sdk.StopReasonCancelled},
		"a stop that came too late": {end: whole, reason: sdk.StopReasonCancelled},
		"the end of Pawl's process": {end: lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd}, error: errCutOff.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newFixture(t, 0)
				l.follow(false)
				l.happens("root", "p1", begun...)
				over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}, Message: "m"})
				l.happens("root", "p1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "go"}})
				l.happens("root", "p1", lifecycle.MessageWithdrawn{Message: "m", Returned: true, From: lifecycle.FromUser, Text: "go"})
				synctest.Wait()
				requirePromptOpen(t, over)
				l.happens("root", "p1", row.end)
				got := <-over
				require.Equal(t, row.reason, got.reason)
				var refused *sdk.RequestError
				if row.error != "" {
					require.ErrorAs(t, got.err, &refused)
					require.Equal(t, row.error, refused.Message)
				} else {
					require.NoError(t, got.err)
				}
				require.Empty(t, l.texts(), "the prompt says it")
				l.close(lifecycle.CauseQuit)
			})
		})
	}
}

func TestAFailureThatNoPromptEndsWithIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		l.happens("root", "woken", append(begun, lifecycle.StepStarted{Step: 1})...)
		over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "woken"}}, Message: "m"})
		l.happens("root", "woken", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "go"}})
		synctest.Wait()
		l.happens("root", "woken", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "the server is gone"}})
		l.happens("root", "p2", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.MessageTaken{Message: "m", Step: 1, From: lifecycle.FromUser, Text: "go"}, whole)...)
		require.Equal(t, ending{reason: sdk.StopReasonEndTurn}, <-over)
		require.Equal(t, []string{"\n\n> Pawl: failed: the server is gone\n\n"}, l.texts())
		l.close(lifecycle.CauseQuit)
	})
}

// Editors send a cancel without waiting for anything: it may be there before the prompt
// that it is about has reached the parent.
func TestACancelReachesAPromptThatIsOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.held = make(chan struct{})
		l.follow(false)
		over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
		synctest.Wait()
		require.NoError(t, l.stop(t.Context()))
		stop := lifecycle.Stop{Session: "root", Cause: lifecycle.CauseCommand}
		require.Equal(t, []lifecycle.Command{stop}, l.done, "there is nothing to stop yet")
		close(l.held)
		l.happens("root", "p1", begun...)
		synctest.Wait()
		require.Equal(t, []lifecycle.Command{stop, lifecycle.Send{Session: "root", Text: "go"}, stop}, l.done)
		l.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseCommand})
		require.Equal(t, ending{reason: sdk.StopReasonCancelled}, <-over)
		l.close(lifecycle.CauseQuit)
	})
}

func TestAPromptThatIsStoppedWhileItsFilesAreReadIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.held, l.err = make(chan struct{}), errors.New("it was stopped before it began")
		over := l.prompting(t, lifecycle.Reply{})
		synctest.Wait()
		require.NoError(t, l.stop(t.Context()))
		close(l.held)
		require.Equal(t, ending{reason: sdk.StopReasonCancelled}, <-over)
		require.Len(t, l.done, 2, "there is nothing more to stop")
	})
}

func TestAClosedSessionEndsItsPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for cause, want := range map[lifecycle.Cause]sdk.StopReason{lifecycle.CauseQuit: sdk.StopReasonCancelled, lifecycle.CauseProcessEnd: ""} {
			l := newFixture(t, 0)
			l.follow(false)
			over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
			l.happens("root", "p1", begun...)
			synctest.Wait()
			l.close(cause)
			got := <-over
			require.Equal(t, want, got.reason)
			require.Equal(t, want == "", got.err != nil)
		}
	})
}

func TestThePastIsToldOnceAndOnlyWhereItIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 5)
		spec := lifecycle.Spec{Root: "root", Prompt: "find it", From: lifecycle.FromUser, Trigger: lifecycle.TriggerUser}
		l.happens("root", "p1", lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "found"}, whole)
		require.NoError(t, l.wait(t.Context(), l.follow(false))) // session/resume
		require.Empty(t, l.told)
		require.NoError(t, l.wait(t.Context(), l.follow(true))) // session/load, of one that is open
		require.Equal(t, []sdk.SessionUpdate{sdk.UpdateUserMessageText("find it"), sdk.UpdateAgentMessageText("found")}, l.told)
		l.happens("root", "p2", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "and more"})...)
		synctest.Wait()
		require.Equal(t, []string{"found", "\n\nand more"}, l.texts())
		l.close(lifecycle.CauseQuit)
	})
}

func TestATextThatIsAskedForAgainIsToldAgainWithTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		l.happens("root", "p1", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "half"},
			lifecycle.Waiting{Why: "the stream broke; asking again", Discarded: true}, lifecycle.Text{Text: "half of it"})...)
		synctest.Wait()
		require.Equal(t, []string{"half", "\n\n> Pawl: the stream broke; asking again\n\n", "half of it"}, l.texts())
		l.close(lifecycle.CauseQuit)
	})
}

func TestAnAnswerOfTheEditorReachesTheQuestion(t *testing.T) {
	question := lifecycle.Question{ID: "q", Session: "root", Run: "p1", Call: "x", Tool: "shell", Subject: "make"}
	for name, row := range map[string]struct {
		option sdk.PermissionOptionId
		err    error
		want   lifecycle.Answer
	}{
		"once":              {option: "once", want: lifecycle.Answer{Allow: true, By: "person", Scope: lifecycle.GrantOnce}},
		"this run":          {option: "run", want: lifecycle.Answer{Allow: true, By: "person", Scope: lifecycle.GrantRun}},
		"this session":      {option: "session", want: lifecycle.Answer{Allow: true, By: "person", Scope: lifecycle.GrantSession}},
		"always":            {option: "always", want: lifecycle.Answer{Allow: true, By: "person", Scope: lifecycle.GrantAlways}},
		"no":                {option: "no", want: lifecycle.Answer{By: "person"}},
		"an unknown option": {option: "yes please", want: lifecycle.Answer{By: "person"}},
		"an editor that cannot": {
			err:  errors.New("no such method"),
			want: lifecycle.Answer{By: "nobody", Reason: "the editor could not ask: no such method"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newFixture(t, 0)
				l.answer = func(context.Context) (sdk.RequestPermissionOutcome, error) {
					return sdk.NewRequestPermissionOutcomeSelected(row.option), row.err
				}
				l.follow(false)
				l.happens("root", "p1", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.ToolStarted{Call: "x", Tool: "shell"}, lifecycle.PermissionAsked{Question: question})...)
				synctest.Wait()
				require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q", Answer: row.want}}, l.done)
				l.close(lifecycle.CauseQuit)
			})
		})
	}
}

func TestAQuestionThatIsSettledElsewhereIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		back := make(chan struct{})
		l.answer = func(ctx context.Context) (sdk.RequestPermissionOutcome, error) {
			<-ctx.Done()
			close(back)
			return sdk.RequestPermissionOutcome{}, ctx.Err()
		}
		l.follow(false)
		question := lifecycle.Question{ID: "q", Session: "root", Run: "p1", Call: "x", Tool: "shell", Subject: "make"}
		l.happens("root", "p1", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.ToolStarted{Call: "x", Tool: "shell"}, lifecycle.PermissionAsked{Question: question})...)
		synctest.Wait()
		l.happens("root", "p1", lifecycle.PermissionGranted{Question: "q", Call: "x", By: "rule"})
		<-back
		synctest.Wait()
		require.Empty(t, l.done)
		l.close(lifecycle.CauseQuit)
	})
}

func TestOnlyTheAnswersThatAQuestionTakesAreOffered(t *testing.T) {
	names := func(q lifecycle.Question) (ids []sdk.PermissionOptionId) {
		for _, o := range options(q) {
			ids = append(ids, o.OptionId)
		}
		return ids
	}
	require.Equal(t, []sdk.PermissionOptionId{"once", "run", "session", "no"}, names(lifecycle.Question{Tool: "shell"}))
	require.Equal(t, []sdk.PermissionOptionId{"once", "no"}, names(lifecycle.Question{Tool: "edit", Each: true}))
	require.Equal(t, []sdk.PermissionOptionId{"once", "run", "session", "always", "no"}, names(lifecycle.Question{Tool: "shell", Rules: []string{"shell(go test *)"}}))
}

func TestAFailureThatNoPromptWaitsForIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		end := lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "ask the model: 503"}}
		over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
		synctest.Wait()
		l.happens("root", "p1", append(begun, end)...)
		require.Error(t, (<-over).err)
		require.Empty(t, l.texts(), "the prompt's error says it")
		l.happens("root", "p2", append(begun, end)...) // a subagent's end had woken the parent
		synctest.Wait()
		require.Equal(t, []string{"\n\n> Pawl: failed: ask the model: 503\n\n"}, l.texts())
		l.close(lifecycle.CauseQuit)
	})
}

func TestWhatFailsDuringAPromptIsSaidBeforeItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		notices := []string{"left out .mcp.json"}
		l.Notices = func() []string { return notices }
		l.follow(false)
		over := l.prompting(t, lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1"}}})
		l.happens("root", "p1", begun...)
		synctest.Wait()
		notices = append(notices, "the MCP server one is down")
		l.happens("root", "p1", whole)
		<-over
		said := strings.Join(l.texts(), "")
		require.Equal(t, 1, strings.Count(said, "left out .mcp.json"), "each is said once")
		require.Equal(t, 1, strings.Count(said, "the MCP server one is down"))
		l.close(lifecycle.CauseQuit)
	})
}

// A run on another machine outlives the editor, and its question does too.
func TestAnEditorThatIsGoneHasAnsweredNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.gone = make(chan struct{})
		l.answer = func(context.Context) (sdk.RequestPermissionOutcome, error) {
			close(l.gone)
			return sdk.RequestPermissionOutcome{}, errors.New("peer disconnected before response")
		}
		l.follow(false)
		question := lifecycle.Question{ID: "q", Session: "root", Run: "p1", Call: "x", Tool: "shell", Subject: "make"}
		l.happens("root", "p1", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.ToolStarted{Call: "x", Tool: "shell"}, lifecycle.PermissionAsked{Question: question})...)
		synctest.Wait()
		require.Empty(t, l.done)
		l.close(lifecycle.CauseQuit)
	})
}
