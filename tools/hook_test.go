package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/lifecycle"
	"pawl/tools/process"
)

// hookOf is a hook before calls that is a line for sh.
func hookOf(line string) hook.Spec {
	return hook.Spec{Event: agent.HookPreToolUse, Line: line, Limit: 30 * time.Second, Source: hook.User}
}

// askedIn asks hooks about a call of shell in a folder.
func askedIn(ctx context.Context, folder string, specs ...hook.Spec) agent.HookResult {
	h := Hooks{Launcher: &process.Launcher{Owner: "r1"}, Specs: specs, Mode: func() string { return "default" }}
	return h.Ask(ctx, agent.HookInput{
		Event: agent.HookPreToolUse,
		Run:   lifecycle.Run{ID: "r1", Session: "s1", Spec: lifecycle.Spec{Root: "s1", Folder: folder}},
		Call:  agent.Call{ID: "c1", Name: "shell", Input: json.RawMessage(`{"command":"rm -rf build"}`)},
	})
}

// Every program that does not say so plainly leads to a question, and to a line for
// people that says what was wrong.
func TestAProgramDecidesByItsEndAndFailsClosed(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		line     string
		decision agent.HookDecision
		reason   string
		limit    time.Duration
	}{
		"passes":                   {line: "cat >/dev/null"},
		"passes without reading":   {line: "exit 0"},
		"blocks":                   {line: "echo 'not here' >&2; exit 2", decision: agent.HookDeny, reason: "not here"},
		"answers":                  {line: `echo '{"decision":"deny","reason":"by JSON"}'`, decision: agent.HookDeny, reason: "by JSON"},
		"reads what it decides on": {line: `grep -q '"command":"rm ' && { echo 'no rm' >&2; exit 2; }`, decision: agent.HookDeny, reason: "no rm"},
		"fails":                    {line: "echo oops >&2; exit 1", decision: agent.HookAsk, reason: "exit code 1: oops"},
		"is no program":            {line: "no-such-program-of-ours", decision: agent.HookAsk, reason: "exit code 127"},
		"kills itself":             {line: "kill -9 $$", decision: agent.HookAsk, reason: "exit code 137"},
		"answers nonsense":         {line: `echo '{"decision":'`, decision: agent.HookAsk, reason: "cannot be read"},
		"answers without end":      {line: `printf '{"reason":"'; yes | head -c 300000`, decision: agent.HookAsk, reason: "longer than 64 KB"},
		"hangs":                    {line: "sleep 1000", decision: agent.HookAsk, reason: "did not finish within 300ms", limit: 300 * time.Millisecond},
		"answers and hangs":        {line: `echo '{"decision":"allow"}'; sleep 1000`, decision: agent.HookAsk, reason: "did not finish", limit: 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := hookOf(row.line)
			if row.limit > 0 {
				spec.Limit = row.limit
			}
			said := askedIn(t.Context(), t.TempDir(), spec)
			require.Equal(t, row.decision, said.Decision, "%+v", said)
			require.Contains(t, said.Reason, row.reason)
			if row.decision == agent.HookAsk {
				require.Len(t, said.Warnings, 1)
				require.Contains(t, said.Warnings[0], "PreToolUse hook "+spec.Name())
			} else {
				require.Empty(t, said.Warnings)
			}
		})
	}
}

func TestAListIsRunWithoutAShell(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program := filepath.Join(t.TempDir(), "check")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ncat >/dev/null\nprintf '%s|' \"$@\" >&2\nexit 2\n"), 0o700))
	spec := hookOf("")
	spec.Command = []string{program, "$(touch made)", "a b", ";", "touch made", "*"}
	said := askedIn(t.Context(), folder, spec)
	require.Equal(t, agent.HookResult{Decision: agent.HookDeny, Reason: "$(touch made)|a b|;|touch made|*|"}, said)
	require.NoFileExists(t, folder+"/made")
	spec.Command = []string{filepath.Join(folder, "nothing-here")}
	said = askedIn(t.Context(), folder, spec)
	require.Equal(t, agent.HookAsk, said.Decision)
	require.Contains(t, said.Reason, "no such file")
	require.Error(t, process.CheckProgram(spec.Command[0]))
	require.NoError(t, process.CheckProgram(program))
}

func TestTheShellOfAHookIsNoProgramOfTheFolder(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "sh"), []byte("#!/bin/sh\ntouch "+folder+"/ran\n"), 0o700))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.Equal(t, agent.HookDeny, askedIn(t.Context(), folder, hookOf("exit 2")).Decision)
	require.NoFileExists(t, folder+"/ran")
}

func TestAHookReadsTheCallAndStandsInTheFolderWithoutKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	folder := t.TempDir()
	said := askedIn(t.Context(), folder, hookOf(`cat > input.json; env > env.txt`))
	require.Equal(t, agent.HookResult{}, said)
	var input map[string]any
	text, err := os.ReadFile(folder + "/input.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &input))
	require.Equal(t, map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s1", "run_id": "r1", "cwd": folder, "permission_mode": "default",
		"tool_name": "shell", "tool_use_id": "c1", "tool_input": map[string]any{"command": "rm -rf build"},
	}, input)
	environ, err := os.ReadFile(folder + "/env.txt")
	require.NoError(t, err)
	require.NotContains(t, string(environ), "sk-secret")
	require.Contains(t, string(environ), "PAWL_RUN=r1")
}

func TestHooksRunSideBySideAndTheStrictestWins(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	meet := func(own, other string) string { // neither can end before both have begun
		return "touch " + own + "; until test -e " + other + "; do sleep 0.01; done; "
	}
	said := askedIn(t.Context(), folder,
		hookOf(meet("a", "b")+`echo '{"decision":"allow"}'`),
		hookOf(meet("b", "a")+`echo 'never' >&2; exit 2`),
		hookOf("exit 1"),
		hook.Spec{Event: agent.HookPreToolUse, Match: "edit", Line: "touch c", Limit: time.Second},
	)
	require.Equal(t, agent.HookDeny, said.Decision)
	require.Equal(t, "never", said.Reason)
	require.Len(t, said.Warnings, 1, "of the one that failed")
	require.NoFileExists(t, folder+"/c", "it was about another tool")
}

func TestALongInputIsNoReasonToWait(t *testing.T) {
	t.Parallel()
	h := Hooks{Launcher: &process.Launcher{}, Specs: []hook.Spec{hookOf("exit 0")}}
	h.Specs[0].Event = agent.HookPostToolUse
	said := h.Ask(t.Context(), agent.HookInput{
		Event: agent.HookPostToolUse, Run: lifecycle.Run{Spec: lifecycle.Spec{Folder: t.TempDir()}},
		Call: agent.Call{Name: "read"}, Result: &agent.Result{Text: strings.Repeat("long ", 100_000)},
	})
	require.Equal(t, agent.HookResult{}, said)
}

// A project may bring hooks that hold back. What lets go is the user's own.
func TestAProjectsHookNeverSaysYes(t *testing.T) {
	t.Parallel()
	for decision, want := range map[string]agent.HookDecision{"allow": agent.HookPass, "ask": agent.HookAsk, "deny": agent.HookDeny} {
		spec := hookOf(`echo '{"decision":"` + decision + `","reason":"theirs"}'`)
		require.Equal(t, agent.HookDecision(decision), askedIn(t.Context(), t.TempDir(), spec).Decision)
		spec.Source = hook.Project
		require.Equal(t, want, askedIn(t.Context(), t.TempDir(), spec).Decision)
	}
}

// What was trusted is what is run, also when the file is another by then: in the
// project's own folder, and in that of a subagent's worktree.
func TestAProjectsHookRunsNoScriptThatNobodyHasSeen(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		command []string
		line    string
		sealed  string
	}{
		"a program":                       {command: []string{".pawl/check"}, sealed: ".pawl/check"},
		"what sh is given":                {command: []string{"sh", "./.pawl/check"}, sealed: ".pawl/check"},
		"what a line for sh names":        {line: "X=1 sh '.pawl/check'", sealed: ".pawl/check"},
		"what a line in a list names":     {command: []string{"sh", "-c", "sh .pawl/check"}, sealed: ".pawl/check"},
		"what a line names from its root": {line: `sh "$PWD"/.pawl/check`, sealed: ".pawl"},
		"what a line goes to first":       {line: "cd .pawl && sh check", sealed: ".pawl"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(folder, ".pawl"), 0o700))
			script := filepath.Join(folder, ".pawl/check")
			require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexit 0\n"), 0o700))
			spec := hook.Spec{Event: agent.HookPreToolUse, Command: row.command, Line: row.line, Limit: 30 * time.Second, Source: hook.Project, Folder: folder}
			sum, err := hook.Digest(filepath.Join(folder, row.sealed))
			require.NoError(t, err)
			require.Equal(t, []string{row.sealed}, spec.Scripts())
			spec.Sums = map[string]string{row.sealed: sum}
			require.Equal(t, agent.HookPass, askedIn(t.Context(), folder, spec).Decision)

			require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\ntouch evil\n"), 0o700))
			said := askedIn(t.Context(), folder, spec)
			require.Equal(t, agent.HookAsk, said.Decision)
			require.Contains(t, said.Reason, row.sealed+" has changed since you trusted it")
			require.NoFileExists(t, filepath.Join(folder, "evil"))
		})
	}
}

func TestAProjectsHookRunsNoScriptThatCameAfterTheYes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	spec := hook.Spec{Event: agent.HookPreToolUse, Line: "[ ! -f .pawl/local ] || sh .pawl/local", Limit: 30 * time.Second, Source: hook.Project, Folder: folder}
	spec.Sums = map[string]string{".pawl/local": ""}
	require.Equal(t, agent.HookPass, askedIn(t.Context(), folder, spec).Decision)
	require.NoError(t, os.Mkdir(filepath.Join(folder, ".pawl"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".pawl/local"), []byte("touch evil\n"), 0o700))
	said := askedIn(t.Context(), folder, spec)
	require.Equal(t, agent.HookAsk, said.Decision)
	require.Contains(t, said.Reason, ".pawl/local has changed since you trusted it")
	require.NoFileExists(t, filepath.Join(folder, "evil"))
}
