package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/permission"
	"pawl/agent/settings"
)

func allowRules(t testing.TB, all ...string) []permission.AllowRule {
	t.Helper()
	rules := make([]permission.AllowRule, len(all))
	for i, text := range all {
		require.NoError(t, rules[i].UnmarshalText([]byte(text)))
	}
	return rules
}

func allowedTexts(a *allowed) []string {
	var all []string
	for _, rule := range a.rules() {
		all = append(all, rule.String())
	}
	return all
}

func TestWhatIsAllowedForGoodIsKeptByFolderForItsOwnerAlone(t *testing.T) {
	folders := settings.Folders{State: filepath.Join(t.TempDir(), "state")}
	shop, other := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(shop, link))
	a := newAllowed(folders, shop)
	require.Empty(t, a.rules())
	require.NoError(t, a.add(allowRules(t, "shell(go test *)", `edit(app/\[id\]/**)`)))
	require.NoError(t, newAllowed(folders, other).add(allowRules(t, "shell(ls)")))
	require.NoError(t, newAllowed(folders, link).add(allowRules(t, "shell(go test *)", "fetch(host:go.dev)")), "a link is the folder that it leads to")

	want := []string{"shell(go test *)", `edit(app/\[id\]/**)`, "fetch(host:go.dev)"}
	require.Equal(t, want, allowedTexts(a), "what another process adds holds here too, and nothing stands twice")
	require.Equal(t, want, allowedTexts(newAllowed(folders, shop)), "it outlives the process")
	info, err := os.Stat(allowedPath(folders))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	text, err := os.ReadFile(allowedPath(folders))
	require.NoError(t, err)
	require.Contains(t, string(text), "  'shell(go test *)',\n", "a rule a line")

	require.NoError(t, a.forget("shell(go test *)"))
	require.Equal(t, want[1:], allowedTexts(newAllowed(folders, shop)))
	require.NoError(t, newAllowed(folders, other).forget("shell(ls)"))
	text, err = os.ReadFile(allowedPath(folders))
	require.NoError(t, err)
	require.NotContains(t, string(text), other, "a folder without rules is not named")
	require.NoError(t, os.Remove(allowedPath(folders)))
	require.Empty(t, a.rules())
}

func TestAFileThatOthersMayWriteHoldsAgainOnceItIsMendedAndNotBefore(t *testing.T) {
	a := newAllowed(settings.Folders{State: t.TempDir()}, t.TempDir())
	require.NoError(t, a.add(allowRules(t, "shell(ls)")))
	require.NotEmpty(t, a.rules())
	require.NoError(t, os.Chmod(a.path, 0o666))
	require.Empty(t, a.rules())
	require.NoError(t, os.Chmod(a.path, 0o600))
	require.NotEmpty(t, a.rules())
}

func TestAFileOfRulesThatCannotBeReadAllowsNothingAndIsLeftAsItIs(t *testing.T) {
	folders := settings.Folders{State: t.TempDir()}
	folder := t.TempDir()
	a := newAllowed(folders, folder)
	good := fmt.Sprintf("[%q]\nallow = ['shell(ls)']\n", a.folder)
	for name, row := range map[string]struct {
		text, says string
		mode       os.FileMode
	}{
		"a rule that allows anything": {strings.Replace(good, "ls", "sudo *", 1), ":2: ", 0o600},
		"an unknown key":              {good + "deny = ['shell(rm *)']\n", ":3: ", 0o600},
		"half a line":                 {good + "allow = [", ":3: ", 0o600},
		"a file that others write":    {good, "chmod 600", 0o622},
	} {
		require.NoError(t, os.WriteFile(a.path, []byte(row.text), 0o600))
		require.NoError(t, os.Chmod(a.path, row.mode))
		require.NoError(t, os.Chtimes(a.path, time.Now(), time.Now().Add(-time.Hour)))
		require.Empty(t, allowedTexts(a), name)
		err := a.add(allowRules(t, "shell(pwd)"))
		require.ErrorContains(t, err, row.says, name)
		require.NotContains(t, err.Error(), "\n", name)
		text, read := os.ReadFile(a.path)
		require.NoError(t, read)
		require.Equal(t, row.text, string(text), name)
	}
	require.NoError(t, os.Chmod(a.path, 0o600))
	require.NoError(t, os.WriteFile(a.path, []byte(good), 0o600))
	require.Equal(t, []string{"shell(ls)"}, allowedTexts(a))
}

func TestAnswersOfManyProcessesAreAllKept(t *testing.T) {
	folders := settings.Folders{State: t.TempDir()}
	folder := t.TempDir()
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		rules := allowRules(t, fmt.Sprintf("shell(make job%d)", i))
		all.Go(func() { errs[i] = newAllowed(folders, folder).add(rules) })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, newAllowed(folders, folder).rules(), len(errs))
	entries, err := os.ReadDir(folders.State)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left behind")
}

func TestTheListOfRulesSaysWhereEachStandsAndForgetsThoseOfAnswers(t *testing.T) {
	folders := settings.Folders{State: t.TempDir(), Config: "/config"}
	h := &house{base: &base{folders: folders}, allowed: newAllowed(folders, t.TempDir())}
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	h.settings.Permissions = permission.Rules{Deny: []permission.Rule{deny}, Allow: allowRules(t, "shell(ls)")}
	require.NoError(t, h.allowed.add(allowRules(t, "shell(go test *)", "shell(pwd)")))
	listed := func() (texts []string) {
		for _, rule := range h.permissions() {
			texts = append(texts, rule.Text+" "+filepath.Base(rule.Source))
		}
		return texts
	}
	require.Equal(t, []string{"deny shell(rm *) config.toml", "allow shell(ls) config.toml", "allow shell(go test *) allowed.toml", "allow shell(pwd) allowed.toml"}, listed())
	all := h.permissions()
	require.Nil(t, all[0].Forget, "that is for an editor")
	require.NoError(t, all[2].Forget(t.Context()))
	require.Equal(t, []string{"deny shell(rm *) config.toml", "allow shell(ls) config.toml", "allow shell(pwd) allowed.toml"}, listed())
}
