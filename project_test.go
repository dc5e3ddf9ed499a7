package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/models"
	"pawl/store"
	"pawl/tools/mcp"
	"pawl/ui"
)

// estate is a folder with a database and the settings of its user.
func estate(t *testing.T) *base {
	t.Helper()
	opened, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	own, err := settings.Load("none", nil)
	require.NoError(t, err)
	return &base{world: world{folder: t.TempDir()}, folders: settings.Folders{Config: t.TempDir()}, settings: own, models: models.New(nil, nil, 0), store: opened}
}

func (b *base) lay(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.world.folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func (b *base) asked(t *testing.T) *project {
	t.Helper()
	p, err := b.asks(t.Context(), false)
	require.NoError(t, err)
	return p
}

func TestSettingsThatAreNoFileOfTheFolderAreNamedAndNotUsed(t *testing.T) {
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "config.toml"), []byte(`permission_mode = "plan"`), 0o600))
	for name, row := range map[string]struct {
		make func(pawl string) error
		want string
	}{
		"a folder that is a link out": {func(pawl string) error { return os.Symlink(elsewhere, pawl) }, "leads outside the folder"},
		"a link out": {func(pawl string) error {
			return errors.Join(os.Mkdir(pawl, 0o700), os.Symlink(filepath.Join(elsewhere, "config.toml"), filepath.Join(pawl, "config.toml")))
		}, "leads outside the folder"},
		"a pipe": {func(pawl string) error {
			return errors.Join(os.Mkdir(pawl, 0o700), syscall.Mkfifo(filepath.Join(pawl, "config.toml"), 0o600))
		}, "not a regular file"},
		"a folder": {func(pawl string) error { return os.MkdirAll(filepath.Join(pawl, "config.toml"), 0o700) }, "not a regular file"},
		"a huge file": {func(pawl string) error {
			return errors.Join(os.Mkdir(pawl, 0o700), os.WriteFile(filepath.Join(pawl, "config.toml"), []byte(strings.Repeat("#", longestProjectFile+1)), 0o600))
		}, "more than 1024 KiB"},
		"a misspelled key": {func(pawl string) error {
			return errors.Join(os.Mkdir(pawl, 0o700), os.WriteFile(filepath.Join(pawl, "config.toml"), []byte("\nmodle = \"x\""), 0o600))
		}, `config.toml:2: unknown setting "modle"; did you mean "model"?`},
	} {
		t.Run(name, func(t *testing.T) {
			b := estate(t)
			require.NoError(t, row.make(filepath.Join(b.world.folder, ".pawl")))
			p := b.asked(t)
			require.Contains(t, p.troubled(), settings.ProjectFile)
			require.Contains(t, p.troubled(), row.want)
			require.Empty(t, p.parts)
			require.False(t, p.wary(), "there is nothing to trust")
		})
	}
}

func TestAServerListThatIsNoFileOfTheFolderIsNamed(t *testing.T) {
	b := estate(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(b.world.folder, mcp.ProjectFile), 0o600))
	require.ErrorContains(t, b.asked(t).misfit, ".mcp.json: it cannot be read: it is a pipe")
}

func TestAYesIsAboutWhatWasShownAndNotAboutWhatStandsThereByThen(t *testing.T) {
	b := estate(t)
	b.lay(t, ".pawl/config.toml", `permission_mode = "plan"`)
	b.lay(t, mcp.ProjectFile, `{"mcpServers": {"disk": {"command": "good"}}}`)
	shown := b.asked(t)
	require.Contains(t, shown.leftOut(), "1 MCP server of .mcp.json and the settings of .pawl/config.toml, ")
	s := shown.stranger()
	require.Contains(t, s.Title, "This folder contains 1 MCP server of .mcp.json and the settings of .pawl/config.toml.")
	b.lay(t, mcp.ProjectFile, `{"mcpServers": {"disk": {"command": "evil"}}}`) // while the question stands
	require.NoError(t, s.Decide(t.Context(), true))

	used := b.asked(t)
	require.True(t, used.trusts(used.settings))
	require.False(t, used.trusts(used.servers))
	require.True(t, used.wary())
	require.Contains(t, strings.Join(used.stranger().Says, "\n"), "+ disk: evil")
	require.NotContains(t, used.stranger().Title, "settings")
	lifted, err := b.asks(t.Context(), true)
	require.NoError(t, err)
	require.True(t, lifted.trusts(lifted.servers), "--trust is about all, in this call")
	require.False(t, lifted.wary())
	require.Nil(t, lifted.stranger())
}

func TestANoIsRememberedAndTakenBack(t *testing.T) {
	b := estate(t)
	b.lay(t, ".pawl/agents/one.md", "---\ndescription: one\n---\nfirst\n\nsecond\nthird\nfourth")
	s := b.asked(t).stranger()
	require.Contains(t, strings.Join(s.Says, "\n"), "one (.pawl/agents/one.md): one\n        tools: all\n        > first\n        > second\n        > third\n        …")
	require.NoError(t, s.Decide(t.Context(), false))
	p := b.asked(t)
	require.Nil(t, p.stranger())
	require.True(t, p.wary())
	require.Contains(t, p.leftOut(), "1 agent type, ")

	rules := p.rules()
	require.Equal(t, []string{"ask shell(*)", "distrust of 1 agent type"}, ruleTexts(rules))
	require.Nil(t, rules[0].Forget)
	require.NoError(t, rules[1].Forget(t.Context()))
	again := b.asked(t)
	require.NotNil(t, again.stranger())
	require.NoError(t, again.stranger().Decide(t.Context(), true))
	require.Equal(t, []string{"trust in 1 agent type"}, ruleTexts(b.asked(t).rules()))
}

func ruleTexts(rules []ui.Rule) (all []string) {
	for _, rule := range rules {
		all = append(all, rule.Text)
	}
	return all
}

func TestAModelOfAProjectThatCannotBeAskedIsLeftOut(t *testing.T) {
	for model, want := range map[string]string{"demo": "", "nobody/x": "is not available here", "anthropic/x": "is not available here"} {
		b := estate(t)
		b.lay(t, ".pawl/config.toml", "model = \""+model+"\"")
		p := b.asked(t)
		require.Equal(t, want == "", p.settings != nil, model)
		require.Contains(t, p.troubled(), want, model)
	}
}

func TestInAFolderThatIsNotTrustedNoRuleAllowsACommand(t *testing.T) {
	allow, err := permission.ParseRule("shell(git status)")
	require.NoError(t, err)
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	r := rules{Permissions: permission.Rules{Allow: []permission.AllowRule{{Rule: allow}}, Deny: []permission.Rule{deny}}}
	for _, row := range []struct {
		wary       bool
		mode       permission.Mode
		subject    string
		allow, ask bool
	}{
		{false, permission.Default, "git status", true, false},
		{true, permission.Default, "git status", false, true},
		{true, permission.AcceptEdits, "git status", false, true},
		{true, permission.Plan, "git status", false, false},
		{true, permission.Bypass, "git status", true, false},
		{true, permission.Bypass, "rm x", false, false},
		{true, permission.Default, "rm x", false, false},
	} {
		r.Wary, r.Mode = row.wary, row.mode
		left := r.permit(agent.Effect{Kind: agent.EffectShell, Subject: row.subject})
		require.Equal(t, []bool{row.allow, row.ask}, []bool{left.Allow, left.Ask}, row)
	}
	r.Wary, r.Mode = true, permission.Default
	require.Empty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
	require.True(t, r.permit(agent.Effect{Kind: agent.EffectRead, Subject: "calc.go"}).Allow, "reading runs nothing")
	r.Wary = false
	require.NotEmpty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
}

func TestGitIsLookedAtForEachCheckoutOnce(t *testing.T) {
	b := estate(t)
	b.world.folder = checkout(t)
	require.Nil(t, b.asked(t).git, "an ordinary checkout asks nothing")
	runGit(t, b.world.folder, "config", "core.fsmonitor", "./evil.sh")
	p := b.asked(t)
	require.Equal(t, []string{"core.fsmonitor = ./evil.sh"}, p.git.says)
	require.NoError(t, p.stranger().Decide(context.Background(), true))
	runGit(t, b.world.folder, "config", "branch.main.remote", "origin")
	require.True(t, b.asked(t).trusts(b.asked(t).git), "what runs nothing changes nothing")
	inside := filepath.Join(b.world.folder, "inside")
	require.NoError(t, os.Mkdir(inside, 0o700))
	b.world.folder = inside
	require.Nil(t, b.asked(t).stranger(), "it is the same checkout")
}

func TestWhatHasChangedOfAPartIsMarkedWhereItIsShown(t *testing.T) {
	shown := []string{"disk: sh", "    is given A"}
	lines := (&part{wants: "It wants:", says: []string{"disk: sh", "web: https://x"}, shown: shown}).lines()
	require.Equal(t, []string{"It wants:", "    (changed since you answered: + is new, - is gone)", "    disk: sh", "  + web: https://x", "  -     is given A"}, lines)
	require.Contains(t, (&part{says: shown, shown: shown}).lines()[1], "in a part that is not shown")
}
