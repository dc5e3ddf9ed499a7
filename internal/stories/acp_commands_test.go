package stories

import (
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// commands waits until the editor was told of commands, and gives their names.
func (e *acpEditor) commands() (names []string) {
	e.t.Helper()
	e.until(func(acpPage) bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, u := range e.updates {
			if u.AvailableCommandsUpdate != nil {
				for _, c := range u.AvailableCommandsUpdate.AvailableCommands {
					names = append(names, c.Name)
				}
				return true
			}
		}
		return false
	})
	return names
}

// An editor is told of the commands of files, the skills and those of Pawl's own that make sense
// there, and they work as they do on the screen.
func TestAnEditorIsToldOfCommandsAndSendsThem(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	for name, text := range map[string]string{
		".claude/commands/front/test.md": "---\ndescription: Test it\nargument-hint: [what]\n---\nTest $1 well.",
		".claude/skills/one/SKILL.md":    "---\nname: one\ndescription: d\n---\nThe body.",
	} {
		path := filepath.Join(s.Dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	e := newEditor(t, s, "--trust")
	id := e.begin()
	require.Equal(t, []string{"compact", "front:test", "init", "one"}, e.commands())
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("/compact")))
	e.until(func(p acpPage) bool { return harness.ContainsAll(p.text, "there is nothing to summarize yet") })
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("/front:test all")))
	require.Contains(t, s.Server.AwaitNth(t, 1, modeltest.FromParent).Messages[0].Text, "Test all well.")
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("/compact keep the tests")))
	page := e.until(func(p acpPage) bool { return harness.ContainsAll(p.text, "Nothing was replaced") })
	require.NotContains(t, page.user, "/compact")
	require.Equal(t, 0, e.hangUp())
}
