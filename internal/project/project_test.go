package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/gittest"
	"pawl/internal/models"
	"pawl/store"
	"pawl/tools/mcp"
)

// estate is a folder with a database and the settings of its user.
func estate(t testing.TB) *base.Base {
	t.Helper()
	opened, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	own, err := settings.Load("none", nil)
	require.NoError(t, err)
	return &base.Base{World: base.World{Folder: t.TempDir()}, Folders: settings.Folders{Config: t.TempDir()}, Settings: own, Models: models.New(nil, nil, 0), Store: opened}
}

func lay(b *base.Base, t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(b.World.Folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func asked(b *base.Base, t *testing.T) *Project {
	t.Helper()
	p, err := Read(t.Context(), b, false)
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
		}, "larger than 1 MiB"},
		"a misspelled key": {func(pawl string) error {
			return errors.Join(os.Mkdir(pawl, 0o700), os.WriteFile(filepath.Join(pawl, "config.toml"), []byte("\nmodle = \"x\""), 0o600))
		}, `config.toml:2: unknown setting "modle"; did you mean "model"?`},
	} {
		t.Run(name, func(t *testing.T) {
			b := estate(t)
			require.NoError(t, row.make(filepath.Join(b.World.Folder, ".pawl")))
			p := asked(b, t)
			require.Contains(t, p.firstProblem(), settings.ProjectFile)
			require.Contains(t, p.firstProblem(), row.want)
			require.Empty(t, p.Parts)
			require.False(t, p.Untrusted(), "there is nothing to trust")
		})
	}
}

func TestAServerListThatIsNoFileOfTheFolderIsNamed(t *testing.T) {
	b := estate(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(b.World.Folder, mcp.ProjectFile), 0o600))
	require.ErrorContains(t, asked(b, t).ServersError, ".mcp.json: it cannot be read: it is a pipe")
}

func TestAYesIsAboutWhatWasShownAndNotAboutWhatStandsThereByThen(t *testing.T) {
	b := estate(t)
	lay(b, t, ".pawl/config.toml", `permission_mode = "plan"`)
	lay(b, t, mcp.ProjectFile, `{"mcpServers": {"disk": {"command": "good"}}}`)
	shown := asked(b, t)
	require.Contains(t, shown.NotTrusted(), "1 MCP server of .mcp.json and the settings of .pawl/config.toml, ")
	s := shown.Question()
	require.Contains(t, s.Title, "This folder contains 1 MCP server of .mcp.json and the settings of .pawl/config.toml.")
	lay(b, t, mcp.ProjectFile, `{"mcpServers": {"disk": {"command": "evil"}}}`) // while the question stands
	require.NoError(t, s.Decide(t.Context(), true))

	used := asked(b, t)
	require.True(t, used.Trusts(used.Settings))
	require.False(t, used.Trusts(used.Servers))
	require.True(t, used.Untrusted())
	require.Contains(t, strings.Join(used.Question().Says, "\n"), "+ disk: evil")
	require.NotContains(t, used.Question().Title, "settings")
	lifted, err := Read(t.Context(), b, true)
	require.NoError(t, err)
	require.True(t, lifted.Trusts(lifted.Servers), "--trust is about all, in this call")
	require.False(t, lifted.Untrusted())
	require.Nil(t, lifted.Question())
}

func TestANoIsRememberedAndTakenBack(t *testing.T) {
	b := estate(t)
	lay(b, t, ".pawl/agents/one.md", "---\ndescription: one\n---\nfirst\n\nsecond\nthird\nfourth")
	s := asked(b, t).Question()
	require.Contains(t, strings.Join(s.Says, "\n"), "one (.pawl/agents/one.md): one\n        tools: all\n        > first\n        > second\n        > third\n        …")
	require.NoError(t, s.Decide(t.Context(), false))
	p := asked(b, t)
	require.Nil(t, p.Question())
	require.True(t, p.Untrusted())
	require.Contains(t, p.NotTrusted(), "1 agent type, ")

	rules := p.Answers()
	require.Equal(t, []string{"ask shell(*)", "distrust of 1 agent type"}, ruleTexts(rules))
	require.Nil(t, rules[0].Forget)
	require.NoError(t, rules[1].Forget(t.Context()))
	again := asked(b, t)
	require.NotNil(t, again.Question())
	require.NoError(t, again.Question().Decide(t.Context(), true))
	require.Equal(t, []string{"trust in 1 agent type"}, ruleTexts(asked(b, t).Answers()))
}

func ruleTexts(rules []Answer) (all []string) {
	for _, rule := range rules {
		all = append(all, rule.Text)
	}
	return all
}

func TestAModelOfAProjectThatCannotBeAskedIsLeftOut(t *testing.T) {
	for model, want := range map[string]string{"demo": "", "nobody/x": "is not available here", "anthropic/x": "is not available here"} {
		b := estate(t)
		lay(b, t, ".pawl/config.toml", "model = \""+model+"\"")
		p := asked(b, t)
		require.Equal(t, want == "", p.Settings != nil, model)
		require.Contains(t, p.firstProblem(), want, model)
	}
}

func TestGitIsLookedAtForEachCheckoutOnce(t *testing.T) {
	b := estate(t)
	b.World.Folder = gittest.Checkout(t)
	require.Nil(t, asked(b, t).git, "an ordinary checkout asks nothing")
	gittest.Run(t, b.World.Folder, "config", "core.fsmonitor", "./evil.sh")
	p := asked(b, t)
	require.Equal(t, []string{"core.fsmonitor = ./evil.sh"}, p.git.Says)
	require.NoError(t, p.Question().Decide(context.Background(), true))
	gittest.Run(t, b.World.Folder, "config", "branch.main.remote", "origin")
	require.True(t, asked(b, t).Trusts(asked(b, t).git), "what runs nothing changes nothing")
	inside := filepath.Join(b.World.Folder, "inside")
	require.NoError(t, os.Mkdir(inside, 0o700))
	b.World.Folder = inside
	require.Nil(t, asked(b, t).Question(), "it is the same checkout")
}

func TestWhatHasChangedOfAPartIsMarkedWhereItIsShown(t *testing.T) {
	shown := []string{"disk: sh", "    is given A"}
	lines := (&Part{wants: "It wants:", Says: []string{"disk: sh", "web: https://x"}, Shown: shown}).lines()
	require.Equal(t, []string{"It wants:", "    (changed since you answered: + is new, - is gone)", "    disk: sh", "  + web: https://x", "  -     is given A"}, lines)
	require.Contains(t, (&Part{Says: shown, Shown: shown}).lines()[1], "in a part that is not shown")
}
