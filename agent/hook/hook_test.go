package hook

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

const (
	asked  = agent.HookPermissionRequest
	before = agent.HookPreToolUse
	after  = agent.HookPostToolUse
)

func TestTheSetOfEventsOfHooksIsTheDesigns(t *testing.T) {
	require.Equal(t, []agent.HookEvent{
		"PermissionRequest", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "SessionStart", "Stop", "Notification", "NeedsInput", "AllEnded",
	}, Events())
	for _, event := range Events() {
		got, err := ParseEvent(string(event))
		require.NoError(t, err)
		require.Equal(t, event, got)
	}
	_, err := ParseEvent("PretoolUse")
	require.ErrorContains(t, err, `did you mean "PreToolUse"?`)
}

// answers are what programs end with, and what that means; want is nil where it is a
// failure.
func answers() map[string]struct {
	event agent.HookEvent
	ran   Exit
	want  *agent.HookResult
} {
	deny := func(reason string) *agent.HookResult {
		return &agent.HookResult{Decision: agent.HookDeny, Reason: reason}
	}
	pass, allow := &agent.HookResult{}, &agent.HookResult{Decision: agent.HookAllow}
	out := func(text string) Exit { return Exit{Stdout: text} }
	return map[string]struct {
		event agent.HookEvent
		ran   Exit
		want  *agent.HookResult
	}{
		"exit 0 says nothing":                {before, Exit{}, pass},
		"plain words are no answer":          {before, out("formatted 2 files\n"), pass},
		"exit 2 is a no, with its reason":    {before, Exit{Code: 2, Stderr: "not on Fridays\n"}, deny("not on Fridays")},
		"exit 2 without a reason":            {asked, Exit{Code: 2}, deny(noReason)},
		"exit 2 goes before what it writes":  {asked, Exit{Code: 2, Stdout: `{"decision":"allow"}`, Stderr: "no"}, deny("no")},
		"exit 2 lets a run go on":            {agent.HookStop, Exit{Code: 2, Stderr: "run the tests"}, deny("run the tests")},
		"exit 2 of who has nothing to block": {agent.HookSessionStart, Exit{Code: 2, Stderr: "no"}, nil},
		"exit 1":                             {asked, Exit{Code: 1, Stdout: `{"decision":"allow"}`}, nil},
		"killed":                             {asked, Exit{Code: 137, Stdout: `{"decision":"allow"}`}, nil},
		"too late":                           {asked, Exit{TimedOut: time.Second, Stdout: `{"decision":"allow"}`}, nil},
		"not started":                        {asked, Exit{Err: errors.New("no such file")}, nil},
		"too long":                           {asked, Exit{Stdout: `{"decision":"allow"}`, Long: true}, nil},

		"allow":                           {asked, out(`{"decision":"allow"}`), allow},
		"deny":                            {asked, out(`{"decision":"deny","reason":"no"}`), deny("no")},
		"block":                           {after, out(`{"decision":"block","reason":"no"}`), deny("no")},
		"ask":                             {before, out(`{"decision":"ask","reason":"sure?"}`), &agent.HookResult{Decision: agent.HookAsk, Reason: "sure?"}},
		"context":                         {after, out(`{"additionalContext":"it is red"}`), &agent.HookResult{Context: "it is red"}},
		"a word to people":                {after, out(`{"systemMessage":"formatted"}`), &agent.HookResult{Warnings: []string{"a hook says: formatted"}}},
		"plain context of a start":        {agent.HookSessionStart, out("It is Friday.\n"), &agent.HookResult{Context: "It is Friday."}},
		"plain words of a stop":           {agent.HookStop, out("bye"), pass},
		"Claude Code's before a call":     {before, out(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`), deny("no")},
		"Claude Code's before a question": {asked, out(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`), allow},
		"Claude Code's no to a question":  {asked, out(`{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}`), deny("no")},
		"Claude Code's older yes":         {asked, out(`{"decision":"approve"}`), allow},
		"continue: false is a no":         {before, out(`{"continue":false,"stopReason":"enough"}`), deny("enough")},
		"continue: false lets a run end":  {agent.HookStop, out(`{"continue":false}`), pass},
		"of two the stricter":             {asked, out(`{"decision":"allow","hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}`), deny("no")},

		"half an object":            {asked, out(`{"decision":"allow"`), nil},
		"an object behind words":    {before, out("checking\n{\"decision\":\"deny\"}"), nil},
		"two objects":               {asked, out(`{"decision":"allow"} {"decision":"deny"}`), nil},
		"a decision nobody knows":   {asked, out(`{"decision":"yes"}`), nil},
		"a field nobody knows":      {before, out(`{"decison":"deny"}`), nil},
		"another input":             {before, out(`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"ls"}}}`), nil},
		"an answer about another":   {before, out(`{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"allow"}}`), nil},
		"a question after the call": {after, out(`{"decision":"ask"}`), nil},
		"context that nobody gets":  {agent.HookStop, out(`{"additionalContext":"x"}`), nil},
		"a decision of a type else": {asked, out(`{"decision":true}`), nil},
		"no to a notification":      {agent.HookNotification, out(`{"decision":"deny"}`), nil},
	}
}

func TestWhatAProgramSaysIsJudgedAndNothingElseIsAYes(t *testing.T) {
	for name, row := range answers() {
		t.Run(name, func(t *testing.T) {
			got, err := Judge(row.event, row.ran)
			if row.want == nil {
				require.Error(t, err)
				failed := Failed(Spec{Event: row.event, Line: "check"}, err)
				require.NotEqual(t, agent.HookAllow, failed.Decision)
				require.Len(t, failed.Warnings, 1)
				require.NotContains(t, failed.Warnings[0], "\n")
				require.Equal(t, row.event == before, failed.Decision == agent.HookAsk, "before a call a person is asked instead")
				return
			}
			require.NoError(t, err)
			require.Equal(t, *row.want, got)
		})
	}
}

func TestTheStrictestOfSeveralHooksDecides(t *testing.T) {
	ruling := func(d agent.HookDecision, reason string) agent.HookResult {
		return agent.HookResult{Decision: d, Reason: reason}
	}
	for name, row := range map[string]struct {
		all  []agent.HookResult
		want agent.HookResult
	}{
		"nobody":            {nil, agent.HookResult{}},
		"nothing and allow": {[]agent.HookResult{{}, ruling("allow", "")}, ruling("allow", "")},
		"allow and ask":     {[]agent.HookResult{ruling("ask", "hm"), ruling("allow", "fine")}, ruling("ask", "hm")},
		"all":               {[]agent.HookResult{ruling("allow", "a"), ruling("deny", "d"), ruling("ask", "k"), {}}, ruling("deny", "d")},
		"two that deny":     {[]agent.HookResult{ruling("deny", "one"), ruling("deny", "two"), ruling("deny", "one")}, ruling("deny", "one; two")},
		"what they tell": {
			[]agent.HookResult{{Context: "a", Warnings: []string{"w"}}, {Context: "b", Warnings: []string{"v"}}},
			agent.HookResult{Context: "a\nb", Warnings: []string{"w", "v"}},
		},
	} {
		require.Equal(t, row.want, Merge(row.all), name)
	}
	long := Merge([]agent.HookResult{{Context: strings.Repeat("é", 3*maxContext)}})
	require.Less(t, len([]rune(long.Context)), maxContext+100)
}

func TestAMatchNamesWhatAHookIsAbout(t *testing.T) {
	occasion := func(event agent.HookEvent, tool, kind string) agent.HookInput {
		return agent.HookInput{Event: event, Call: agent.Call{Name: tool}, Kind: kind}
	}
	for _, row := range []struct {
		spec Spec
		o    agent.HookInput
		want bool
	}{
		{Spec{Event: before}, occasion(before, "shell", ""), true},
		{Spec{Event: before}, occasion(after, "shell", ""), false},
		{Spec{Event: before, Match: "shell"}, occasion(before, "shell", ""), true},
		{Spec{Event: before, Match: "shell"}, occasion(before, "shell_kill", ""), false},
		{Spec{Event: before, Match: "edit|write"}, occasion(before, "write", ""), true},
		{Spec{Event: before, Match: "mcp__git__*"}, occasion(before, "mcp__git__push", ""), true},
		{Spec{Event: agent.HookSubagentStart, Match: "explore"}, occasion(agent.HookSubagentStart, "", "general"), false},
		{Spec{Event: agent.HookNotification, Match: KindCompleted}, occasion(agent.HookNotification, "", KindCompleted), true},
		{Spec{Event: agent.HookStop}, occasion(agent.HookStop, "", "general"), true},
	} {
		require.Equal(t, row.want, row.spec.Wants(row.o), "%v of %v", row.spec, row.o)
	}
}

func TestAMatchThatCanNeverMatchIsRefused(t *testing.T) {
	tools := []string{"shell", "edit", "write", "agent"}
	for _, row := range []struct {
		event agent.HookEvent
		match Match
		want  string // empty: it is fine
	}{
		{before, "", ""},
		{before, "shell|edit", ""},
		{before, "e*", ""},
		{before, "mcp__git__push", ""},
		{before, "*push", ""},
		{before, "Bash", `"Bash" can never match; did you mean "shell"?`},
		{before, "shell|sehll", `"sehll" can never match; did you mean "shell"?`},
		{before, "shell(git *)", "the program finds the arguments in tool_input"},
		{before, "shell|", "a name is missing"},
		{before, "^shell$", "is not allowed here"},
		{agent.HookSubagentStop, "reviewer", ""},
		{agent.HookSessionStart, "resumed", `did you mean "resume"?`},
		{agent.HookNotification, "agent_*", ""},
		{agent.HookStop, "shell", "leave match out"},
		{agent.HookAllEnded, "explore", "leave match out"},
	} {
		err := row.match.Check(row.event, tools)
		if row.want == "" {
			require.NoError(t, err, row.match)
			continue
		}
		require.ErrorContains(t, err, row.want)
	}
}

func TestAProgramIsTheSameOneInEveryFolder(t *testing.T) {
	for _, row := range []struct {
		source Source
		name   string
		want   string // the program; empty: it is refused
	}{
		{User, "jq", "jq"},
		{User, "/usr/bin/jq", "/usr/bin/jq"},
		{User, "~/bin/check", "/home/ada/bin/check"},
		{User, "./check.sh", ""},
		{User, "bin/check.sh", ""},
		{User, " ", ""},
		{Project, "./.pawl/hooks/check.sh", "/src/.pawl/hooks/check.sh"},
		{Project, ".pawl/hooks/check.sh", "/src/.pawl/hooks/check.sh"},
		{Project, "scripts/check.sh", ""},
		{Project, ".pawl/../scripts/check.sh", ""},
		{Project, "../check.sh", ""},
	} {
		spec := Spec{Source: row.source, Folder: "/src", Command: []string{row.name, "$(touch x)"}}
		err := spec.CheckProgram()
		if row.want == "" {
			require.Error(t, err, row.name)
			continue
		}
		require.NoError(t, err, row.name)
		program, args, err := spec.Program("/home/ada")
		require.NoError(t, err)
		require.Equal(t, row.want, program)
		require.Equal(t, []string{"$(touch x)"}, args)
	}
	_, _, err := Spec{Command: []string{"~/bin/check"}}.Program("")
	require.ErrorContains(t, err, "set HOME")
	program, args, err := Spec{Line: "jq . | tee x"}.Program("")
	require.NoError(t, err)
	require.Equal(t, []string{"sh", "-c", "jq . | tee x"}, append([]string{program}, args...))
}

func TestAProgramReadsOneLineWithTheNamesThatHooksHaveElsewhere(t *testing.T) {
	run := lifecycle.Run{ID: "r", Session: "child", Spec: lifecycle.Spec{Root: "root", Parent: "root", Type: "explore", Folder: "/src", Background: true}}
	parent := lifecycle.Run{ID: "r", Session: "root", Spec: lifecycle.Spec{Root: "root", Folder: "/src"}}
	call := agent.Call{ID: "c", Name: "shell", Input: json.RawMessage(`{"command":"ls\n-l"}`)}
	for _, row := range []struct {
		o    agent.HookInput
		want string
	}{
		{
			agent.HookInput{Event: before, Run: run, Call: call},
			`{"hook_event_name":"PreToolUse","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","agent_id":"child","agent_type":"explore","background":true,"tool_name":"shell","tool_input":{"command":"ls\n-l"},"tool_use_id":"c"}`,
		},
		{
			agent.HookInput{Event: after, Run: parent, Call: call, Result: &agent.Result{Text: "x", IsError: true}},
			`{"hook_event_name":"PostToolUse","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","tool_name":"shell","tool_input":{"command":"ls\n-l"},"tool_use_id":"c","tool_response":{"text":"x","is_error":true}}`,
		},
		{
			agent.HookInput{Event: agent.HookSubagentStart, Run: parent, Text: "dig"},
			`{"hook_event_name":"SubagentStart","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","prompt":"dig"}`,
		},
		{
			agent.HookInput{Event: agent.HookStop, Run: parent},
			`{"hook_event_name":"Stop","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","stop_hook_active":false,"last_assistant_message":""}`,
		},
		{
			agent.HookInput{Event: agent.HookSessionStart, Run: parent, Kind: KindResume},
			`{"hook_event_name":"SessionStart","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","source":"resume"}`,
		},
		{
			agent.HookInput{Event: agent.HookNotification, Run: parent, Kind: KindQuestion, Text: "Pawl wants to use shell: ls"},
			`{"hook_event_name":"Notification","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","notification_type":"permission_prompt","message":"Pawl wants to use shell: ls"}`,
		},
		{
			agent.HookInput{Event: agent.HookAllEnded, Run: parent, Text: "Pawl: completed"},
			`{"hook_event_name":"AllEnded","session_id":"root","run_id":"r","cwd":"/src","permission_mode":"plan","message":"Pawl: completed","attach":"pawl attach root"}`,
		},
	} {
		line, err := Input(row.o, "plan")
		require.NoError(t, err)
		require.Equal(t, row.want+"\n", string(line))
	}
	_, err := Input(agent.HookInput{Event: before, Call: agent.Call{Input: json.RawMessage("{")}}, "")
	require.Error(t, err, "no hook is asked about half of a call")
}

// Whatever a program writes: an allow is in it, word for word, and no no beside it.
func FuzzAnswer(f *testing.F) {
	for _, row := range answers() {
		f.Add(string(row.event), row.ran.Stdout)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		event, err := ParseEvent(name)
		if err != nil {
			event = asked
		}
		ruling, err := Judge(event, Exit{Stdout: text})
		if err != nil || ruling.Decision != agent.HookAllow {
			return
		}
		require.True(t, json.Valid([]byte(text)), "half an answer allows nothing")
		var said map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &said))
		words, _ := json.Marshal(said)
		require.Regexp(t, `"(allow|approve)"`, string(words))
	})
}
