package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What fingers have learned from other programs of this kind does here what they expect.
func TestWhatFingersKnowFromOtherPrograms(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("I have heard.") })
	x := s.open(t, "what is", "this?")
	x.see("› what is this?", "I have heard.")
	require.Len(t, s.server.all(fromParent), 1)
	x.rest()

	x.type_("half a thought")
	x.see("› half a thought")
	x.type_(keyCtrlC)
	x.see("cleared · ctrl+y restores it", "Ask Pawl anything")
	x.type_(keyCtrlY)
	x.see("› half a thought")
	x.type_(keyEsc)
	x.see("cleared", "Ask Pawl anything")
	x.type_(keyEsc)
	x.see("1 of 1 earlier prompts")
	x.type_(keyEnter)
	x.see("› what is this?", "alt+enter new line")
	x.type_(keyCtrlU)
	x.see("Ask Pawl anything")

	x.type_("one line\\")
	x.see("one line\\")
	x.type_(keyEnter)
	x.type_("and another")
	x.inThisOrder("› one line", "  and another")
	x.type_(keyEnter)
	s.server.await(t, parentAsked("one line\nand another"))
	x.rest()

	x.type_(keyShiftTab)
	x.see("permission mode accept-edits", "· accept-edits")
	x.type_(keyShiftTab)
	x.see("permission mode plan")
	x.type_(keyShiftTab)
	x.see("permission mode default")
	for line, want := range map[string]string{"/status": "permission mode default · ", "/diff": "git diff shows them together"} {
		x.prompt(line)
		x.see(want)
	}
	x.prompt("/login")
	x.see("/login is not a command; keys come from variables")
	x.type_(keyCtrlU)
	x.see("Ask Pawl anything")
	x.prompt("/resume")
	x.see("Sessions here", "what is this?")
	x.type_(keyEsc)
	x.see("? keys")
	x.type_(keyCtrlD)
	require.Equal(t, 0, x.wait())

	x = s.open(t, "-r")
	x.see("Sessions here", "what is this?")
	x.type_(keyEsc)
	x.see("Ask Pawl anything")
	x.prompt("/exit")
	require.Equal(t, 0, x.wait())

	x = s.open(t, "-c", "and now?")
	x.see("what is this?", "› and now?", "I have heard.")
	x.rest()
	require.Equal(t, 0, x.quit())
	out, errs, code := run(t, s.dir, s.env, "-v")
	require.Zero(t, code, errs)
	require.Contains(t, out, "pawl ")
}

// A prompt on the command line waits for the answer to the question about the folder.
func TestAFirstPromptWaitsUntilTheFolderIsAnsweredFor(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("I have heard.") })
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, ".pawl"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, ".pawl", "config.toml"), []byte("permission_mode = \"plan\"\n"), 0o600))
	x := start(t, s.dir, s.env, s.flags("what is", "this?")...)
	x.see("yes, until it changes")
	require.Empty(t, s.server.all(fromParent))
	x.type_(keyEsc)
	x.see("› what is this?", "alt+enter new line")
	x.type_(keyEnter)
	x.see("I have heard.")
	require.Equal(t, 0, x.quit())
}

// What a key exports stands in a folder of Pawl's own, under a name that somebody can read;
// the checkout stays as it was until its user names a file in it.
func TestExportsByKeyLeaveTheCheckoutAlone(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("I have heard.") })
	x := s.open(t, "fix the cart, please: ../../etc/passwd")
	x.see("I have heard.")
	x.rest()
	x.type_(keyCtrlS)
	x.see("exported to "+s.exports()[:20], "/copy copies the path")
	x.type_(keyCtrlS)
	x.waitFor("the second", func(screen string) bool { return strings.Contains(screen, "-2.md") })
	files, err := os.ReadDir(s.exports())
	require.NoError(t, err)
	for _, file := range files {
		require.Regexp(t, `^fix-the-cart-please-etc-passwd-20\d\d-\d\d-\d\d-[0-9a-f]{8}(-2)?\.md$`, file.Name())
	}
	require.Empty(t, gitAt(t, s.dir, "status", "--porcelain"))
	x.prompt("/export html my notes.html")
	x.see("exported to", "my notes.html")
	page, err := os.ReadFile(filepath.Join(s.dir, "my notes.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "<!DOCTYPE html>")
	x.prompt("/export my notes.html")
	x.see("not exported", "the file exists already", "--force")
	require.Equal(t, 0, x.quit())
}
