package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What fingers have learned from other programs of this kind does here what they expect.
func TestWhatFingersKnowFromOtherPrograms(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have heard.") })
	x := s.Open(t, "what is", "this?")
	x.See("› what is this?", "I have heard.")
	require.Len(t, s.Server.All(modeltest.FromParent), 1)
	x.Rest()

	x.Type("half a thought")
	x.See("› half a thought")
	x.Type(harness.KeyCtrlC)
	x.See("cleared · ctrl+y restores it", "Ask Pawl anything")
	x.Type(harness.KeyCtrlY)
	x.See("› half a thought")
	x.Type(harness.KeyEsc)
	x.See("cleared", "Ask Pawl anything")
	x.Type(harness.KeyEsc)
	x.See("Take back to before", "what is this?")
	x.Type(harness.KeyEsc)
	x.SeeNot("Take back to before")
	x.Type(harness.KeyCtrlR)
	x.See("1 of 1 earlier prompts")
	x.Type(harness.KeyEnter)
	x.See("› what is this?", "alt+enter new line")
	x.Type(harness.KeyCtrlU)
	x.See("Ask Pawl anything")

	x.Type("one line\\")
	x.See("one line\\")
	x.Type(harness.KeyEnter)
	x.Type("and another")
	x.InThisOrder("› one line", "  and another")
	x.Type(harness.KeyEnter)
	s.Server.Await(t, modeltest.ParentAsked("one line\nand another"))
	x.Rest()

	x.Type(harness.KeyShiftTab)
	x.See("permission mode accept-edits", "· accept-edits")
	x.Type(harness.KeyShiftTab)
	x.See("permission mode plan")
	x.Type(harness.KeyShiftTab)
	x.See("permission mode default")
	x.Prompt("/status")
	x.See("permission mode default · ")
	x.Prompt("/diff")
	x.See("no file is changed")
	x.Type(harness.KeyEsc)
	x.SeeNot("no file is changed")
	x.Prompt("/login")
	x.See("/login is not a command; pawl login NAME, in a shell, keeps the key of a provider")
	x.Type(harness.KeyCtrlU)
	x.See("Ask Pawl anything")
	x.Prompt("/resume")
	x.See("Sessions here", "what is this?")
	x.Type(harness.KeyEsc)
	x.See("? keys")
	x.Type(harness.KeyCtrlD)
	require.Equal(t, 0, x.Wait())

	x = s.Open(t, "-r")
	x.See("Sessions here", "what is this?")
	x.Type(harness.KeyEsc)
	x.See("Ask Pawl anything")
	x.Prompt("/exit")
	require.Equal(t, 0, x.Wait())

	x = s.Open(t, "-c", "and now?")
	x.See("what is this?", "› and now?")
	x.WaitFor("its answer too", func(screen string) bool { return strings.Count(screen, "I have heard.") == 3 })
	x.Rest()
	require.Equal(t, 0, x.Quit())
	out, errs, code := harness.Run(t, s.Dir, s.Env, "-v")
	require.Zero(t, code, errs)
	require.Contains(t, out, "pawl ")
}

// A prompt on the command line waits for the answer to the question about the folder.
func TestAFirstPromptWaitsUntilTheFolderIsAnsweredFor(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have heard.") })
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, ".pawl"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, ".pawl", "config.toml"), []byte("permission_mode = \"plan\"\n"), 0o600))
	x := harness.Start(t, s.Dir, s.Env, s.Flags("what is", "this?")...)
	x.See("yes, until it changes")
	require.Empty(t, s.Server.All(modeltest.FromParent))
	x.Type(harness.KeyEsc)
	x.See("› what is this?", "alt+enter new line")
	x.Type(harness.KeyEnter)
	x.See("I have heard.")
	require.Equal(t, 0, x.Quit())
}

// What a key exports stands in a folder of Pawl's own, under a name that somebody can read;
// the checkout stays as it was until its user names a file in it.
func TestExportsByKeyLeaveTheCheckoutAlone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have heard.") })
	x := s.Open(t, "fix the cart, please: ../../etc/passwd")
	x.See("I have heard.")
	x.Rest()
	x.Type(harness.KeyCtrlS)
	x.See("exported to "+s.Exports()[:20], "/copy copies the path")
	x.Type(harness.KeyCtrlS)
	x.WaitFor("the second", func(screen string) bool { return strings.Contains(screen, "-2.md") })
	files, err := os.ReadDir(s.Exports())
	require.NoError(t, err)
	for _, file := range files {
		require.Regexp(t, `^fix-the-cart-please-etc-passwd-20\d\d-\d\d-\d\d-[0-9a-f]{8}(-2)?\.md$`, file.Name())
	}
	require.Empty(t, gitAt(t, s.Dir, "status", "--porcelain"))
	x.Prompt("/export html my notes.html")
	x.See("exported to", "my notes.html")
	page, err := os.ReadFile(filepath.Join(s.Dir, "my notes.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "<!DOCTYPE html>")
	x.Prompt("/export my notes.html")
	x.See("not exported", "the file exists already", "--force")
	require.Equal(t, 0, x.Quit())
}
