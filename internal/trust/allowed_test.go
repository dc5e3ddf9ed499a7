package trust

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

func rulesOf(t testing.TB, all ...string) []permission.AllowRule {
	t.Helper()
	rules := make([]permission.AllowRule, len(all))
	for i, text := range all {
		require.NoError(t, rules[i].UnmarshalText([]byte(text)))
	}
	return rules
}

func allowedTexts(a *Allowed) []string {
	var all []string
	for _, rule := range a.Rules() {
		all = append(all, rule.String())
	}
	return all
}

func TestWhatIsAllowedForGoodIsKeptByFolderForItsOwnerAlone(t *testing.T) {
	folders := settings.Folders{State: filepath.Join(t.TempDir(), "state")}
	shop, other := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(shop, link))
	a := NewAllowed(folders, shop)
	require.Empty(t, a.Rules())
	require.NoError(t, a.Add(rulesOf(t, "shell(go test *)", `edit(app/\[id\]/**)`)))
	require.NoError(t, NewAllowed(folders, other).Add(rulesOf(t, "shell(ls)")))
	require.NoError(t, NewAllowed(folders, link).Add(rulesOf(t, "shell(go test *)", "fetch(host:go.dev)")), "a link is the folder that it leads to")

	want := []string{"shell(go test *)", `edit(app/\[id\]/**)`, "fetch(host:go.dev)"}
	require.Equal(t, want, allowedTexts(a), "what another process adds holds here too, and nothing stands twice")
	require.Equal(t, want, allowedTexts(NewAllowed(folders, shop)), "it outlives the process")
	info, err := os.Stat(allowedPath(folders))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	text, err := os.ReadFile(allowedPath(folders))
	require.NoError(t, err)
	require.Contains(t, string(text), "  'shell(go test *)',\n", "a rule a line")

	require.NoError(t, a.Forget("shell(go test *)"))
	require.Equal(t, want[1:], allowedTexts(NewAllowed(folders, shop)))
	require.NoError(t, NewAllowed(folders, other).Forget("shell(ls)"))
	text, err = os.ReadFile(allowedPath(folders))
	require.NoError(t, err)
	require.NotContains(t, string(text), other, "a folder without rules is not named")
	require.NoError(t, os.Remove(allowedPath(folders)))
	require.Empty(t, a.Rules())
}

func TestAFileThatOthersMayWriteHoldsAgainOnceItIsMendedAndNotBefore(t *testing.T) {
	a := NewAllowed(settings.Folders{State: t.TempDir()}, t.TempDir())
	require.NoError(t, a.Add(rulesOf(t, "shell(ls)")))
	require.NotEmpty(t, a.Rules())
	require.NoError(t, os.Chmod(a.Path, 0o666))
	require.Empty(t, a.Rules())
	require.NoError(t, os.Chmod(a.Path, 0o600))
	require.NotEmpty(t, a.Rules())
}

func TestAFileOfRulesThatCannotBeReadAllowsNothingAndIsLeftAsItIs(t *testing.T) {
	folders := settings.Folders{State: t.TempDir()}
	folder := t.TempDir()
	a := NewAllowed(folders, folder)
	good := fmt.Sprintf("[%q]\nallow = ['shell(ls)']\n", a.Folder)
	for name, row := range map[string]struct {
		text, says string
		mode       os.FileMode
	}{
		"a rule that allows anything": {strings.Replace(good, "ls", "sudo *", 1), ":2: ", 0o600},
		"an unknown key":              {good + "deny = ['shell(rm *)']\n", ":3: ", 0o600},
		"half a line":                 {good + "allow = [", ":3: ", 0o600},
		"a file that others write":    {good, "chmod 600", 0o622},
	} {
		require.NoError(t, os.WriteFile(a.Path, []byte(row.text), 0o600))
		require.NoError(t, os.Chmod(a.Path, row.mode))
		require.NoError(t, os.Chtimes(a.Path, time.Now(), time.Now().Add(-time.Hour)))
		require.Empty(t, allowedTexts(a), name)
		err := a.Add(rulesOf(t, "shell(pwd)"))
		require.ErrorContains(t, err, row.says, name)
		require.NotContains(t, err.Error(), "\n", name)
		text, read := os.ReadFile(a.Path)
		require.NoError(t, read)
		require.Equal(t, row.text, string(text), name)
	}
	require.NoError(t, os.Chmod(a.Path, 0o600))
	require.NoError(t, os.WriteFile(a.Path, []byte(good), 0o600))
	require.Equal(t, []string{"shell(ls)"}, allowedTexts(a))
}

func TestAnswersOfManyProcessesAreAllKept(t *testing.T) {
	folders := settings.Folders{State: t.TempDir()}
	folder := t.TempDir()
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		rules := rulesOf(t, fmt.Sprintf("shell(make job%d)", i))
		all.Go(func() { errs[i] = NewAllowed(folders, folder).Add(rules) })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, NewAllowed(folders, folder).Rules(), len(errs))
	entries, err := os.ReadDir(folders.State)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left behind")
}
