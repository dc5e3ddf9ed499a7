package app

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/internal/daytest"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/git"
	"pawl/tools/process"
	"pawl/tools/process/sandbox"
	"pawl/tools/workspace"
)

// closedRules are those of somebody who lets commands run in the closed sandbox, in a new folder.
func closedRules(t *testing.T) rules {
	t.Helper()
	base, err := os.MkdirTemp(outsideTemp(t), "pawl-day")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	r := rules{Mode: permission.Default, Folder: filepath.Join(base, "in"), refused: new(refusedLines)}
	r.Permissions.Sandboxed = permission.SandboxedAllow
	require.NoError(t, os.Mkdir(r.Folder, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(base, "out"), 0o755))
	t.Setenv("HOME", filepath.Join(base, "out"))
	t.Setenv("XDG_CACHE_HOME", "")
	if err := r.closes(); err != nil {
		t.Skip(err)
	}
	return r
}

// outsideTemp is a folder for folders beside which no sandbox may write.
func outsideTemp(t *testing.T) string {
	t.Helper()
	for _, folder := range []string{os.Getenv("HOME"), "/opt"} {
		if probe, err := os.MkdirTemp(folder, "pawl-probe"); folder != "" && err == nil {
			require.NoError(t, os.Remove(probe))
			if !strings.HasPrefix(probe, "/tmp/") && !strings.HasPrefix(probe, "/var/tmp/") {
				return folder
			}
		}
	}
	t.Skip("no folder outside of /tmp can be written here")
	return ""
}

func TestWhereTheSandboxIsWholeACommandThatNoRuleSpeaksAboutNeedsNoQuestion(t *testing.T) {
	r := closedRules(t)
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	asks, err := permission.ParseRule("shell(git push *)")
	require.NoError(t, err)
	allow, err := permission.ParseRule("shell(npm test)")
	require.NoError(t, err)
	r.Permissions.Deny, r.Permissions.Ask = []permission.Rule{deny}, []permission.AskRule{{Rule: asks}}
	r.Permissions.Allow = []permission.AllowRule{{Rule: allow}}
	closed, open, question := agent.Decision{Allow: true, Closed: true}, agent.Decision{Allow: true}, agent.Decision{Ask: true}
	for name, row := range map[string]struct {
		change func(*rules)
		effect agent.Effect
		want   agent.Decision
	}{
		"a command":                  {effect: lineEffect("make"), want: closed},
		"in the background":          {effect: agent.Effect{Kind: agent.EffectShell, Subject: "make", Background: true}, want: closed},
		"git that reads":             {effect: lineEffect("git log"), want: agent.Decision{Allow: true, Environ: git.Reading(), Closed: true, Reads: true}},
		"the same in the background": {effect: agent.Effect{Kind: agent.EffectShell, Subject: "git log", Background: true}, want: closed},
		"of a run in the background": {func(r *rules) { r.Alone = true }, lineEffect("make"), closed},
		"with accept-edits":          {func(r *rules) { r.Mode = permission.AcceptEdits }, lineEffect("make"), closed},
		"one that a rule allows":     {effect: lineEffect("npm test"), want: open},
		"in bypass":                  {func(r *rules) { r.Mode = permission.Bypass }, lineEffect("make"), open},
		"a file":                     {effect: agent.Effect{Kind: agent.EffectEdit, Subject: "a"}, want: question},
		"a page":                     {effect: agent.Effect{Kind: agent.EffectFetch, Subject: "https://go.dev/"}, want: question},
		"where the setting is ask":   {func(r *rules) { r.Permissions.Sandboxed = permission.SandboxedAsk }, lineEffect("make"), question},
		"where nothing was set":      {func(r *rules) { r.Permissions.Sandboxed = "" }, lineEffect("make"), question},
		"in a distrusted folder":     {func(r *rules) { r.Untrusted = true }, lineEffect("make"), question},
		"without a sandbox":          {func(r *rules) { r.Sandbox.Mode = sandbox.Off }, lineEffect("make"), question},
		"without a namespace":        {func(r *rules) { r.Containment = process.ContainSubreaper }, lineEffect("make"), question},
		"in the home folder":         {func(r *rules) { r.Folder = os.Getenv("HOME") }, lineEffect("make"), question},
		"of git's settings": {effect: agent.Effect{Kind: agent.EffectEdit, Subject: ".git/config"}, want: agent.Decision{
			Ask: true, AlwaysAsk: "files of git's and Pawl's own, which can run programs, are asked about in every mode",
		}},
	} {
		changed := r
		if row.change != nil {
			row.change(&changed)
		}
		require.Equal(t, row.want, changed.permit(row.effect), name)
	}
	for line, reason := range map[string]string{"rm x": "denies it", "$X y": "may deny it", "sh -c 'git push'": "asks about it"} {
		left := r.permit(lineEffect(line))
		require.False(t, left.Allow, line)
		require.Contains(t, left.Reason, reason, line)
	}
	r.Mode = permission.Plan
	require.False(t, r.permit(lineEffect("make")).Allow)
}

// git prints the text of such a file in its errors. Where the closed sandbox is whole it does not see
// the key, whatever the setting says about other commands; elsewhere the command asks.
func TestACommandThatOnlyReadsShowsNoKey(t *testing.T) {
	r := closedRules(t)
	r.Permissions.Sandboxed = permission.SandboxedAsk
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", r.Folder).Run())
	key := filepath.Join(os.Getenv("HOME"), ".ssh/id")
	require.NoError(t, os.Mkdir(filepath.Dir(key), 0o700))
	require.NoError(t, os.WriteFile(key, []byte("CANARY\n"), 0o600))
	decision := r.permit(lineEffect("git status"))
	require.Equal(t, agent.Decision{Allow: true, Environ: git.Reading(), Closed: true, Reads: true}, decision)
	require.Contains(t, r.permit(lineEffect("g\\it status")).Environ, "GIT_NO_LAZY_FETCH=1")
	require.False(t, r.permit(agent.Effect{Kind: agent.EffectShell, Subject: "g\\it status", Background: true}).Allow, "it gets no variables there")
	require.NoError(t, os.Symlink(key, filepath.Join(r.Folder, ".git/objects/info/alternates")))
	d := newShellDesk(t, r)
	input, err := json.Marshal(map[string]any{"command": "git status"})
	require.NoError(t, err)
	result := d.shell.Run(t.Context(), agent.Invocation{Input: input, Folder: d.Folder, Environ: decision.Environ, Closed: decision.Closed, Reads: decision.Reads})
	require.NotContains(t, result.Text, "CANARY")
	r.Sandbox.Mode = sandbox.Auto
	r.Containment = process.ContainSubreaper
	require.False(t, r.permit(lineEffect("git status")).Allow, "not in the checkout alone")
}

// docs/commands.md: only where a rule allows it, or it only reads.
func TestAProgramInATypedCommandDoesNotRunForWantOfARule(t *testing.T) {
	r := closedRules(t)
	_, why := r.unaskedProgram(t.Context(), lifecycle.Run{}, "make")
	require.Equal(t, "it needs a person's yes", why)
	_, why = r.unaskedProgram(t.Context(), lifecycle.Run{}, "ls")
	require.Empty(t, why)
}

func TestAClosedCommandSeesNoDeniedFileOfItsSession(t *testing.T) {
	r := closedRules(t)
	deny, err := permission.ParseRule("read(**/.env)")
	require.NoError(t, err)
	r.Permissions.Deny = []permission.Rule{deny}
	r.Home, r.Trees = filepath.Join(r.Folder, "../home"), filepath.Join(r.Folder, "../trees")
	var want []string
	for _, folder := range []string{r.Home, r.Folder, filepath.Join(r.Trees, "one"), filepath.Join(r.Trees, "two")} {
		require.NoError(t, os.MkdirAll(folder, 0o755))
		want = append(want, filepath.Join(folder, ".env"))
		require.NoError(t, os.WriteFile(filepath.Join(folder, ".env"), []byte("KEY=secret\n"), 0o600))
	}
	found, err := r.hidden(r.Folder)
	require.NoError(t, err)
	require.ElementsMatch(t, want, found)
	d := newShellDesk(t, r)
	text := d.run(t, "cat "+strings.Join(want, " ")).Text
	require.Empty(t, d.asked)
	require.NotContains(t, text, "secret")
}

// shellDesk is a shell under rules, with somebody who is asked.
type shellDesk struct {
	rules
	shell agent.Tool
	asked []lifecycle.Question
	says  lifecycle.Answer
}

func newShellDesk(t *testing.T, r rules) *shellDesk {
	t.Helper()
	w, err := workspace.Open(r.Folder)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return &shellDesk{rules: r, shell: tools.Shell(w, r.commands(lifecycle.Run{}), nil)}
}

// run runs a line as a run's loop does, and gives what the model reads.
func (d *shellDesk) run(t *testing.T, line string) agent.Result {
	t.Helper()
	decision := d.permit(lineEffect(line))
	if !decision.Allow && !d.ask(lifecycle.Question{Subject: line, Because: decision.Reason, Exact: decision.Closed}).Allow {
		return agent.ErrorResult("Denied")
	}
	input, err := json.Marshal(map[string]any{"command": line})
	require.NoError(t, err)
	call := agent.Invocation{Input: input, Folder: d.Folder, Environ: decision.Environ, Closed: decision.Allow && decision.Closed, Reads: decision.Reads}
	call.Ask = func(_ context.Context, q lifecycle.Question) (lifecycle.Answer, error) { return d.ask(q), nil }
	return d.shell.Run(t.Context(), call)
}

func (d *shellDesk) ask(q lifecycle.Question) lifecycle.Answer {
	d.asked = append(d.asked, q)
	return d.says
}

func TestWhatTheClosedSandboxRefusedIsAskedAboutWithTheReasonAndNotRepeatedWithoutAYes(t *testing.T) {
	d := newShellDesk(t, closedRules(t))
	cache := filepath.Join(filepath.Dir(d.Folder), "out/go/pkg")
	require.NoError(t, os.MkdirAll(cache, 0o755))
	line := "echo tried >> tries; echo out >> " + cache + "/file"
	d.says = lifecycle.Answer{By: "person"}
	result := d.run(t, line)
	require.Len(t, d.asked, 1)
	require.Contains(t, d.asked[0].Because, "refused it changing "+cache+"/file")
	require.True(t, d.asked[0].Exact)
	require.Contains(t, result.Text, "the user said no")
	require.Equal(t, "tried\n", readText(t, d.Folder, "tries"), "it was not repeated")

	d.says = lifecycle.Answer{By: "nobody"}
	require.Equal(t, "Denied", d.run(t, line).Text, "the same line is an ordinary question from then on")
	require.Contains(t, d.asked[1].Because, "before in the closed sandbox")
	require.Equal(t, "tried\n", readText(t, d.Folder, "tries"))

	d.says = lifecycle.Answer{Allow: true, By: "person"}
	require.Contains(t, d.run(t, line).Text, "[exit code 0]")
	require.Equal(t, "tried\ntried\n", readText(t, d.Folder, "tries"))
	require.Equal(t, "out\n", readText(t, cache, "file"))

	again := "echo more >> " + cache + "/file"
	require.Contains(t, d.run(t, again).Text, "this was its second run")
	require.Equal(t, "out\nmore\n", readText(t, cache, "file"))
	require.Len(t, d.asked, 4)

	never := d.run(t, "echo x > ../out/file")
	require.Len(t, d.asked, 4, "a yes would not let it either")
	require.Contains(t, never.Text, "the sandbox lets commands write only below")
}

func readText(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

func TestWhatRulesDenyToReadAClosedCommandDoesNotSee(t *testing.T) {
	r := closedRules(t)
	deny, err := permission.ParseRule("read(**/.env)")
	require.NoError(t, err)
	r.Permissions.Deny = []permission.Rule{deny}
	require.NoError(t, os.MkdirAll(filepath.Join(r.Folder, "sub"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(r.Folder, "sub/.env"), []byte("secret"), 0o600))
	d := newShellDesk(t, r)
	require.NotContains(t, d.run(t, "cd sub && cat .env; cp .env x; cat x").Text, "secret")
	require.Empty(t, d.asked)
}

// Each line is run here that the machine has the program for.
func TestAWorkingDayAsksAboutWhatLeavesTheFolderAlone(t *testing.T) {
	d := newShellDesk(t, closedRules(t))
	daytest.Lay(t, d.Folder)
	reads, before, after, ran := 0, 0, 0, 0
	for _, line := range daytest.Lines(filepath.Join(filepath.Dir(d.Folder), "out")) {
		old := d.rules
		old.Permissions.Sandboxed = permission.SandboxedAsk
		require.Equal(t, line.Needs == daytest.Reads, old.permit(lineEffect(line.Command)).Allow, line.Command)
		switch line.Needs {
		case daytest.Reads:
			reads++
		case daytest.Network:
			after++
			fallthrough
		default:
			before++
		}
		if !line.Runs(exec.LookPath) {
			t.Logf("not run here: %s", line.Command)
			continue
		}
		ran++
		asked := len(d.asked)
		result := d.run(t, line.Command)
		if line.Needs == daytest.Network {
			asked++
		}
		require.Len(t, d.asked, asked, "%s: %s", line.Command, result.Text)
		require.Equal(t, line.Needs == daytest.Network || line.Needs == daytest.Refused, result.IsError, "%s: %s", line.Command, result.Text)
	}
	t.Logf("questions of a day of %d commands without rules: %d before, %d with permissions.sandboxed = \"allow\" (%d of them run here)", before+reads, before, after, ran)
	require.Less(t, after*5, before)
}
