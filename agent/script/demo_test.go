package script_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
	"pawl/lifecycle"
)

// fannedOut is a conversation in which the three subagents a1, a2 and a3 run.
func fannedOut(t *testing.T) *talk {
	t.Helper()
	k := newTalk(t, script.Demo(), rootTools()).says("what is this project?")
	k.answer()
	k.gets(launched("a1"), launched("a2"), launched("a3"))
	k.answer()
	return k
}

// notice is Pawl's word that one of them ended.
func notice(id, description string, state lifecycle.State, remaining int, result string) lifecycle.Notice {
	return lifecycle.Notice{
		Agent: lifecycle.SessionID(id), Run: lifecycle.RunID("run-" + id), Description: description,
		State: state, Remaining: remaining, Result: result, Partial: state != lifecycle.StateCompleted,
		Elapsed: 12 * time.Second,
	}
}

func (k *talk) isTold(n lifecycle.Notice) *talk { return k.says(agent.NoticeText(n)) }

func TestFirstPromptStartsThreeSubagents(t *testing.T) {
	k := newTalk(t, script.Demo(), rootTools()).says("please run the tests again and stop")
	turn := k.answer()
	require.Contains(t, turn.Text, "DEMO: I am a script, no model")
	var descriptions []string
	for _, c := range turn.Calls {
		require.Equal(t, "agent", c.Name)
		in := input(t, c)
		descriptions = append(descriptions, in["description"].(string))
		require.Equal(t, "explore", in["subagent_type"])
		require.Equal(t, true, in["run_in_background"])
		require.NotEmpty(t, in["prompt"])
	}
	require.Equal(t, []string{"survey the layout", "measure languages and sizes", "find open TODOs"}, descriptions)
}

func TestAgainIsSaidOnlyOfWhatWasStartedBefore(t *testing.T) {
	k := newTalk(t, script.Demo(), rootTools()).says("shell")
	k.answer()
	k.gets(reply(map[string]any{"output": "calc.go"}))
	k.answer()
	turn := k.says("and now?").answer()
	require.Contains(t, turn.Text, "I start the three surveys. ")
	require.Len(t, turn.Calls, 3)
	k.gets(launched("a1"), launched("a2"), launched("a3"))
	k.answer()
	require.Contains(t, k.says("and now?").answer().Text, "I start the three surveys again. ")

	first := newTalk(t, script.Demo(), rootTools()).says("again").answer()
	require.Contains(t, first.Text, "nothing was started before")
	require.Len(t, first.Calls, 3)
}

func TestLaunchesAreToldAndThenItIdles(t *testing.T) {
	k := newTalk(t, script.Demo(), rootTools()).says("hello")
	k.answer()
	k.gets(
		launched("a1"),
		reply(map[string]any{"agent_id": "a2", "run_id": "r2", "status": "queued", "position": 3}),
		agent.ErrorResult("No slot is free: five runs hold them. Do not retry."),
	)
	turn := k.answer()
	require.Empty(t, turn.Calls)
	require.Equal(t, `"measure languages and sizes" waits for a free slot, in place 3.

"find open TODOs" was not started: No slot is free: five runs hold them.

Under way, each in a session of its own: survey the layout · measure languages and sizes.

↓ then Enter looks into one, m speaks to one, x (or Esc Esc) stops it, Ctrl+S exports this session.

I stop here, and will be woken when they end.`, turn.Text)
}

func TestNothingStartedIsNotUnderWay(t *testing.T) {
	k := newTalk(t, script.Demo(), rootTools()).says("hello")
	k.answer()
	refused := agent.ErrorResult("Not run: the run was stopped before it.")
	turn := k.gets(refused, refused, refused).answer()
	require.NotContains(t, turn.Text, "Under way")
	require.Contains(t, turn.Text, `"survey the layout" was not started: Not run: the run was stopped before it.`)
}

func TestARefusedLaunchIsNoPartOfTheSummary(t *testing.T) {
	k := fannedOut(t).says("again")
	k.answer()
	refused := agent.ErrorResult("No slot is free.")
	k.gets(refused, refused, refused)
	for _, id := range []string{"a1", "a2", "a3"} {
		k.isTold(notice(id, "x", lifecycle.StateCompleted, 0, "ok"))
	}
	turn := k.answer()
	require.Contains(t, turn.Text, `"find open TODOs" was not started: No slot is free.`)
	require.Contains(t, turn.Text, "any more: `completed` 3.")
}

func TestTheWholeConversation(t *testing.T) {
	k := fannedOut(t)
	turn := k.isTold(notice("a2", "measure languages and sizes", lifecycle.StateCompleted, 2, "Languages: 3 files.\n<b> & more")).answer()
	require.Equal(t, "\"measure languages and sizes\" completed. Languages: 3 files.\n\nStill queued or running: 2.", turn.Text)

	stopped := notice("a1", "survey the layout", lifecycle.StateCanceledByUser, 1, "I begin with the two upper levels")
	stopped.Cause = lifecycle.CauseKey
	turn = k.isTold(stopped).answer()
	require.Equal(t, "\"survey the layout\" was stopped: the user pressed a key to stop it (canceled_by_user).\n\nStill queued or running: 1.", turn.Text)

	turn = k.isTold(notice("a3", "find open TODOs", lifecycle.StateCompleted, 0, "Open marks: none.")).answer()
	require.Empty(t, turn.Calls)
	require.Equal(t, `"find open TODOs" completed.

None of them is queued or running any more: 'completed' 2, 'canceled_by_user' 1.

"survey the layout" was stopped: the user pressed a key to stop it (canceled_by_user). What it had said until then:

I begin with the two upper levels

"measure languages and sizes" completed.

Languages: 3 files.
<b> & more

"find open TODOs" completed.

Open marks: none.

A script put this together from what they reported, and added nothing. Say again, foreground, shell, write or stop to see more.`, report([]string{turn.Text}))

	again := k.says("thanks, what else?").answer()
	require.Contains(t, again.Text, "cannot act on “thanks, what else?”")
	require.Len(t, again.Calls, 3)

	attached := agent.Say("look at @notes.txt")
	attached.Parts = append(attached.Parts, agent.Part{Text: "<attached path=\"notes.txt\">\nin the foreground\n</attached>"})
	k.messages = append(k.messages, attached)
	again = k.answer()
	require.Contains(t, again.Text, "cannot act on “look at @notes.txt”")
	require.Len(t, again.Calls, 3)
}

func TestSummaryIsTrueForEveryState(t *testing.T) {
	failure := &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled (HTTP 429)"}
	for _, test := range []struct {
		state  lifecycle.State
		cause  lifecycle.Cause
		err    *lifecycle.Failure
		result string
		want   string
	}{
		{lifecycle.StateCompleted, "", nil, "all fine", "\"find open TODOs\" completed.\n\nall fine"},
		{lifecycle.StateCompletedEmpty, "", nil, "", "\"find open TODOs\" ended without an answer (completed_empty)."},
		{lifecycle.StateFailed, "", failure, "half", "\"find open TODOs\" failed (rate_limited): still throttled (HTTP 429). What it had said until then:\n\nhalf"},
		{lifecycle.StateCanceledByUser, lifecycle.CauseDrainTimeout, nil, "", "\"find open TODOs\" was stopped: the time limit for finishing background work ran out (canceled_by_user)."},
		{lifecycle.StateCanceledByUser, lifecycle.CauseKey, nil, "half", "\"find open TODOs\" was stopped: the user pressed a key to stop it (canceled_by_user). What it had said until then:\n\nhalf"},
		{lifecycle.StateCanceledByAgent, lifecycle.CauseAgentStop, nil, "", "\"find open TODOs\" was stopped by me with agent_stop (canceled_by_agent)."},
		{lifecycle.StateInterrupted, lifecycle.CauseProcessEnd, nil, "half", "\"find open TODOs\" was interrupted when Pawl's process ended (interrupted). What it had said until then:\n\nhalf"},
		{"thawed", "", nil, "half", "\"find open TODOs\" ended in a state that this script does not know: thawed. What it had said until then:\n\nhalf"},
	} {
		t.Run(string(test.state)+string(test.cause), func(t *testing.T) {
			k := fannedOut(t)
			k.isTold(notice("a1", "survey the layout", lifecycle.StateCompleted, 0, "Layout: nothing."))
			k.isTold(notice("a2", "measure languages and sizes", lifecycle.StateCompleted, 0, "Languages: none."))
			n := notice("a3", "find open TODOs", test.state, 0, test.result)
			n.Cause, n.Error = test.cause, test.err
			turn := k.isTold(n).answer()
			require.Contains(t, turn.Text, "\n\n"+test.want+"\n\n")
			if test.state != lifecycle.StateCompleted {
				require.NotContains(t, turn.Text, "3 completed")
				require.NotContains(t, turn.Text, `"find open TODOs" completed`)
			}
		})
	}
}

func TestAnEndThatWasNotToldIsNotMadeUp(t *testing.T) {
	k := fannedOut(t)
	turn := k.isTold(notice("a1", "survey the layout", lifecycle.StateCompleted, 0, "Layout: nothing.")).answer()
	require.Contains(t, turn.Text, "None of them is queued or running any more: `not told` 2, `completed` 1.")
	require.Contains(t, turn.Text, `How "measure languages and sizes" ended I was not told.`)
	require.Contains(t, turn.Text, `How "find open TODOs" ended I was not told.`)
	require.NotContains(t, turn.Text, `"find open TODOs" completed`)
}

func TestALaterRunOfAnAgentIsToldAlone(t *testing.T) {
	k := fannedOut(t)
	for _, id := range []string{"a1", "a2", "a3"} {
		k.isTold(notice(id, "x", lifecycle.StateCompleted, 0, "first "+id))
	}
	require.Contains(t, k.answer().Text, "first a2")
	turn := k.isTold(notice("a2", "measure languages and sizes", lifecycle.StateCompleted, 0, "second")).answer()
	require.Contains(t, turn.Text, "any more: `completed` 1.")
	require.Contains(t, turn.Text, "second")
	require.NotContains(t, turn.Text, "first")
}

func TestANoticeThatWaitedIsToldBeforeThePromptIsAnswered(t *testing.T) {
	k := fannedOut(t)
	k.says("again").isTold(notice("a1", "survey the layout", lifecycle.StateCompleted, 2, "Layout: nothing."))
	turn := k.answer()
	require.Equal(t, "\"survey the layout\" completed. Layout: nothing.\n\nStill queued or running: 2.\n\nDEMO: the same three surveys again, in new sessions.", turn.Text)
	require.Len(t, turn.Calls, 3)
}

func TestAShellsEndIsNoSubagents(t *testing.T) {
	k := fannedOut(t)
	turn := k.says("<task-notification>\n<kind>shell</kind>\n<status>completed</status>\n<all-terminal>true</all-terminal>\n</task-notification>").answer()
	require.Equal(t, "A background shell ended: completed.", turn.Text)
}

func TestATypedTagIsAPrompt(t *testing.T) {
	turn := fannedOut(t).says("what is a <task-notification>?").answer()
	require.Len(t, turn.Calls, 3)
}

func TestLongReportsAreShortenedAndSaySo(t *testing.T) {
	k := fannedOut(t)
	report := ""
	for range 40 {
		report += "one line\n"
	}
	turn := k.isTold(notice("a1", "survey the layout", lifecycle.StateCompleted, 0, report)).answer()
	require.Contains(t, turn.Text, "… (the rest stands in its own session)")
}

func TestARequestWithoutToolsGetsWords(t *testing.T) {
	turn := newTalk(t, script.Demo(), nil).says("sum this up").answer()
	require.Equal(t, "Pawl's DEMO script wrote this. It cannot summarize what it does not understand; the conversation had 1 message, the newest from the user: “sum this up”.", turn.Text)
	require.Empty(t, turn.Calls)
}

func TestAnEmptyConversationGetsWords(t *testing.T) {
	turn := newTalk(t, script.Demo(), rootTools()).answer()
	require.Contains(t, turn.Text, "DEMO")
	require.Empty(t, turn.Calls)
}

func TestTheDemoSumsUpInWordsAndDoesNotTakeItsSummaryForAPrompt(t *testing.T) {
	k := fannedOut(t).says(summaryOrder)
	turn := k.answer()
	require.Empty(t, turn.Calls)
	require.Contains(t, turn.Text, "the newest from the user: “what is this project?”")
	k = newTalk(t, script.Demo(), rootTools()).says(summed + "# Summary").isTold(notice("a1", "survey the layout", lifecycle.StateCompleted, 2, "Two folders."))
	turn = k.answer()
	require.Empty(t, turn.Calls, "nobody asked for anything")
	require.Contains(t, turn.Text, "survey the layout")
}

// What the loop says when it wants a summary, and where one begins.
const (
	summaryOrder = "This conversation is about to be replaced by a summary"
	summed       = "Pawl wrote this message, not a human. The conversation had become long, so this summary stands for all of it. The log keeps every word, for the user to read.\n"
)
