package script_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
)

func input(t *testing.T, c agent.Call) map[string]any {
	t.Helper()
	var in map[string]any
	require.NoError(t, json.Unmarshal(c.Input, &in))
	return in
}

func TestWordsShowFeatures(t *testing.T) {
	for prompt, tools := range map[string][]string{
		"shell":                            {"shell"},
		"run the tests":                    {"shell"},
		"Could you EDIT something?":        {"write"},
		"in the foreground, and wait":      {"agent"},
		"again!":                           {"agent", "agent", "agent"},
		"stop, then run again":             {"agent_list"},
		"a rerun of the unstoppable edits": {"agent", "agent", "agent"},
	} {
		t.Run(prompt, func(t *testing.T) {
			var names []string
			for _, c := range fannedOut(t).says(prompt).answer().Calls {
				names = append(names, c.Name)
			}
			require.Equal(t, tools, names)
		})
	}
}

func TestAFirstMessageOfOneWordShowsItsFeature(t *testing.T) {
	turn := newTalk(t, script.Demo(), rootTools()).says(" Shell ").answer()
	require.Equal(t, []string{`shell {"command":"sleep 1; ls -la"}`}, named(turn.Calls))
}

func TestAFeatureWithoutItsToolIsNotClaimed(t *testing.T) {
	for word, want := range map[string]string{
		"shell": `DEMO: "shell" would show shell, which this session does not have.`,
		"write": `DEMO: "write" would show write, which this session does not have.`,
		"stop":  `DEMO: "stop" would show agent_list and agent_stop, which this session does not have.`,
	} {
		k := newTalk(t, script.Demo(), []string{"read", "agent"}).says(word)
		turn := k.answer()
		require.Equal(t, want, turn.Text)
		require.Empty(t, turn.Calls)
	}
}

func TestShellIsToldAsItWent(t *testing.T) {
	for result, want := range map[*agent.Result]string{
		{Text: "total 8\n-rw-r--r-- 1 a a 3 go.mod\n[exit code 0]"}: "shell was done. Its result has 3 lines: `total 8`",
		{Text: "Denied: the user said no to this call. Do not try to reach the same by another way; go on without it, or say in your answer that you need shell.", IsError: true}: "shell was not done: Denied: the user said no to this call.",
	} {
		k := fannedOut(t).says("shell")
		k.answer()
		turn := k.gets(*result).answer()
		require.Contains(t, turn.Text, want)
		require.Empty(t, turn.Calls)
	}
}

func TestWriteChangesOneFile(t *testing.T) {
	k := fannedOut(t).says("write")
	first := k.answer()
	require.Equal(t, "pawl-demo.txt", input(t, first.Calls[0])["path"])
	turn := k.gets(gave("Made pawl-demo.txt: 2 lines, 100 B (+2 -0 lines).")).answer()
	require.Equal(t, "write was done. Its result has 1 line: `Made pawl-demo.txt: 2 lines, 100 B (+2 -0 lines)`", turn.Text)

	second := k.says("write").answer()
	require.NotEqual(t, input(t, first.Calls[0])["content"], input(t, second.Calls[0])["content"], "there must be a difference to show")
}

func TestAFileThatStandsIsReadBeforeItIsReplaced(t *testing.T) {
	k := fannedOut(t).says("write")
	k.answer()
	turn := k.gets(agent.ErrorResult("pawl-demo.txt exists and you have not read it: read it first, then use edit to change a part or write to replace all of it")).answer()
	require.Equal(t, []string{`read {"path":"pawl-demo.txt"}`}, named(turn.Calls))
	turn = k.gets(gave("     1\told\n")).answer()
	require.Equal(t, "write", turn.Calls[0].Name)
	turn = k.gets(agent.ErrorResult("Denied: the user said no to this call. …")).answer()
	require.Contains(t, turn.Text, "write was not done: Denied: the user said no to this call.")
	require.Empty(t, turn.Calls)
}

func TestAFileThatCannotBeReadIsNotReplaced(t *testing.T) {
	k := fannedOut(t).says("write")
	k.answer()
	k.gets(agent.ErrorResult("pawl-demo.txt exists and you have not read it: read it first, …"))
	k.answer()
	turn := k.gets(agent.ErrorResult("pawl-demo.txt cannot be opened: permission denied")).answer()
	require.Equal(t, "read was not done: pawl-demo.txt cannot be opened: permission denied.", turn.Text)
	require.Empty(t, turn.Calls)
}

func TestForegroundIsToldAsItEnded(t *testing.T) {
	for name, test := range map[string]struct {
		result agent.Result
		want   string
		not    string
	}{
		"completed": {
			reply(map[string]any{"agent_id": "f1", "status": "completed", "output": "Layout: 2 folders.", "message": "…"}),
			"\"survey the layout\" completed.\n\nLayout: 2 folders.", "Under way",
		},
		"stopped": {
			reply(map[string]any{"agent_id": "f1", "status": "canceled_by_user", "cause": "key", "output": "I begin", "output_is_partial": true, "message": "…"}),
			"\"survey the layout\" was stopped: the user pressed a key to stop it (canceled_by_user). What it had said until then:\n\nI begin", "completed",
		},
		"failed": {
			reply(map[string]any{"agent_id": "f1", "status": "failed", "error": map[string]any{"kind": "max_steps", "message": "reached the limit of 3 steps"}, "output": "(there was no text)", "message": "…"}),
			"\"survey the layout\" failed (max_steps): reached the limit of 3 steps.", "said until then",
		},
		"detached": {
			reply(map[string]any{"agent_id": "f1", "status": "running", "message": "The user sent it to the background; it keeps running. You will be told."}),
			"\"survey the layout\" goes on: The user sent it to the background; it keeps running.\n\nUnder way", "completed",
		},
		"overdue": {
			reply(map[string]any{"agent_id": "f1", "status": "running", "warning": "foreground_timeout", "message": "It is taking long, so this call no longer waits; it keeps running and nothing is wrong with it. You will be told."}),
			"\"survey the layout\" goes on: It is taking long, so this call no longer waits", "completed",
		},
		"no reply at all": {gave("what is this"), "\"survey the layout\" was not started: what is this.", "Under way"},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, script.Demo(), rootTools()).says("foreground")
			turn := k.answer()
			require.NotContains(t, input(t, turn.Calls[0]), "run_in_background")
			turn = k.gets(test.result).answer()
			require.Contains(t, turn.Text, test.want)
			require.NotContains(t, turn.Text, test.not)
			require.Empty(t, turn.Calls)
		})
	}
}

func TestStopStopsWhatRunsAndTellsTheRest(t *testing.T) {
	k := fannedOut(t)
	k.isTold(notice("a1", "survey the layout", "completed", 2, "Layout: nothing."))
	k.answer()
	turn := k.says("stop").answer()
	require.Equal(t, []string{"agent_list {}"}, named(turn.Calls))

	turn = k.gets(reply(map[string]any{"agents": []any{
		map[string]any{"agent_id": "a1", "description": "survey the layout", "status": "completed"},
		map[string]any{"agent_id": "a2", "description": "measure languages and sizes", "status": "running"},
		map[string]any{"agent_id": "a3", "description": "find open TODOs", "status": "queued"},
	}})).answer()
	require.Equal(t, "I stop \"measure languages and sizes\" (running).\n\nI stop \"find open TODOs\" (queued).", turn.Text)
	require.Equal(t, []string{
		`agent_stop {"agent_id":"a2","reason":"the user asked the demo to stop"}`,
		`agent_stop {"agent_id":"a3","reason":"the user asked the demo to stop"}`,
	}, named(turn.Calls))

	turn = k.gets(
		reply(map[string]any{"agent_id": "a2", "status": "canceled_by_agent", "cause": "agent_stop", "output": "half"}),
		reply(map[string]any{"agent_id": "a3", "status": "completed", "output": "Open marks: none."}),
	).answer()
	require.Empty(t, turn.Calls)
	require.Contains(t, turn.Text, "One is stopped. Its state is canceled_by_agent")
	require.Contains(t, turn.Text, "One had ended before I could stop it: completed stands.")
	require.Contains(t, turn.Text, "any more: `completed` 2, `canceled_by_agent` 1.")
	require.Contains(t, turn.Text, "\"measure languages and sizes\" was stopped by me with agent_stop (canceled_by_agent). What it had said until then:\n\nhalf")
	require.Contains(t, turn.Text, "Layout: nothing.")
}

func TestStopThatIsNotDoneIsNotClaimed(t *testing.T) {
	k := fannedOut(t).says("stop")
	k.answer()
	k.gets(reply(map[string]any{"agents": []any{map[string]any{"agent_id": "a1", "description": "survey the layout", "status": "running"}}}))
	k.answer()
	turn := k.gets(reply(map[string]any{"agent_id": "a1", "status": "running", "message": "It was asked to stop and is still ending."})).answer()
	require.Equal(t, "One was asked to stop and is still ending. I will tell you when it has.", turn.Text)
	turn = k.isTold(notice("a1", "survey the layout", "canceled_by_agent", 2, "")).answer()
	require.Contains(t, turn.Text, `"survey the layout" was stopped by me with agent_stop (canceled_by_agent).`)
}

func TestStopWithNothingToStop(t *testing.T) {
	for result, want := range map[*agent.Result]string{
		{Text: `{"agents":[]}`}:               "None of my subagents is queued or running, so there is nothing to stop.",
		{Text: "it is broken", IsError: true}: "I could not see which subagents run: it is broken",
		{Text: "no JSON"}:                     "I could not see which subagents run: no JSON",
	} {
		k := fannedOut(t).says("stop")
		k.answer()
		turn := k.gets(*result).answer()
		require.Equal(t, want, turn.Text)
		require.Empty(t, turn.Calls)
	}
}
