package app

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/process"
)

// hookExamples are the hooks that a page shows, in its order.
func hookExamples(t *testing.T, page string) []hook.Spec {
	t.Helper()
	var all []hook.Spec
	for _, block := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(page, -1) {
		path := filepath.Join(t.TempDir(), "config.toml")
		require.NoError(t, os.WriteFile(path, []byte(block[1]), 0o600))
		s, err := settings.Load(path, nil)
		require.NoError(t, err, block[1])
		require.NoError(t, base.CheckHooks(s.Programs), block[1])
		all = append(all, s.Programs...)
	}
	return all
}

// People copy these.
func TestTheExamplesOfHooksDoWhatThePagesSay(t *testing.T) {
	t.Parallel()
	pages := docs.Pages()
	guides := hookExamples(t, pages[slices.IndexFunc(pages, func(p docs.Page) bool { return p.Subject == "hooks" })].Text)
	require.Len(t, guides, 8)
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the examples use jq, which is not installed here: they were read, and not run")
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(folder+"/bad.go", []byte("package x\nfunc {"), 0o600))
	for name, row := range map[string]struct {
		spec  hook.Spec
		tool  string
		input string
		want  agent.HookResult
	}{
		"push":       {guides[6], "shell", `{"command":"git -C . push"}`, agent.HookResult{Decision: agent.HookDeny, Reason: "pushing and production are for people"}},
		"status":     {guides[6], "shell", `{"command":"git status"}`, agent.HookResult{}},
		"tests":      {guides[7], "shell", `{"command":"go test ./..."}`, agent.HookResult{Decision: agent.HookAllow}},
		"more":       {guides[7], "shell", `{"command":"go test ./...; rm -rf /"}`, agent.HookResult{}},
		"background": {guides[7], "shell", `{"command":"go test ./...","run_in_background":true}`, agent.HookResult{}},
		"below src":  {guides[2], "write", `{"path":"src/a.go"}`, agent.HookResult{}},
		"elsewhere":  {guides[2], "edit", `{"path":"Makefile"}`, agent.HookResult{Decision: agent.HookAsk, Reason: "it is not below src"}},
		"no Go":      {guides[0], "write", `{"path":"README.md"}`, agent.HookResult{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.want, askedOfHook(t.Context(), folder, row.spec, row.tool, row.input))
		})
	}
	said := askedOfHook(t.Context(), folder, guides[0], "edit", `{"path":"bad.go"}`)
	require.Equal(t, agent.HookDeny, said.Decision)
	require.Contains(t, said.Reason, "bad.go:2")
}

func askedOfHook(ctx context.Context, folder string, spec hook.Spec, tool, input string) agent.HookResult {
	spec.Limit = hook.Limit // a busy machine needs more than an example gives
	h := tools.Hooks{Launcher: &process.Launcher{}, Specs: []hook.Spec{spec}}
	return h.Ask(ctx, agent.HookInput{
		Event: spec.Event, Run: lifecycle.Run{Spec: lifecycle.Spec{Folder: folder}},
		Call: agent.Call{Name: tool, Input: json.RawMessage(input)}, Result: &agent.Result{Text: "done"},
	})
}

func TestTheHooksOfASessionsStartAreAskedOnce(t *testing.T) {
	t.Parallel()
	h := &Session{}
	start := agent.HookInput{Event: agent.HookSessionStart, Kind: hook.KindStartup, Run: lifecycle.Run{Spec: lifecycle.Spec{Folder: t.TempDir()}}}
	r := rules{Hooks: []hook.Spec{{Event: agent.HookSessionStart, Line: "echo hello", Limit: hook.Limit}}}
	require.Empty(t, r.hooks(start.Run)(t.Context(), start), "not in a process of a run's own")
	r.firstCall = h.firstCall
	require.Equal(t, "hello", r.hooks(start.Run)(t.Context(), start).Context)
	require.Empty(t, r.hooks(start.Run)(t.Context(), start))
	require.Nil(t, rules{}.hooks(start.Run), "no hooks, no questions")
}

func TestEverySettingThatThePagesShowIsTaken(t *testing.T) {
	for _, page := range docs.Pages() {
		hookExamples(t, page.Text)
	}
}

func TestTheEndOfAllSaysHowEachSubagentHasEnded(t *testing.T) {
	t.Parallel()
	run := func(parent lifecycle.SessionID, state lifecycle.State) lifecycle.Run {
		return lifecycle.Run{State: state, Spec: lifecycle.Spec{Parent: parent}}
	}
	parent := run("", lifecycle.StateCompleted)
	require.Equal(t, "Pawl: completed", summaryOf(parent, nil))
	require.Equal(t, "Pawl: completed; 3 subagents: 1 completed, 1 ended without an answer and 1 failed", summaryOf(parent, map[lifecycle.SessionID]lifecycle.Run{
		"root": parent,
		"a":    run("root", lifecycle.StateCompleted),
		"b":    run("root", lifecycle.StateFailed),
		"c":    run("root", lifecycle.StateCompletedEmpty),
	}))
}
