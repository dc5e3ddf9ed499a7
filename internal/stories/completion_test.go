package stories

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hasSeen says that a request brings this picture.
func (h heard) hasSeen(picture []byte) bool {
	return strings.Contains(string(h.raw), base64.StdEncoding.EncodeToString(picture))
}

func TestWhatAMessageNamesIsCompletedAndGoesToTheModel(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		var shot bytes.Buffer
		require.NoError(t, png.Encode(&shot, image.NewGray(image.Rect(0, 0, 8, 6))))
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("now @"):
				return say("The child has it.")
			case h.child("dig"):
				answer := do(use("read", object{"path": "README.md"})).saying("I begin to dig.")
				answer.hold = release
				return answer
			case len(h.notices()) > 0:
				return say("All is told.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(use("agent", object{"description": "a dig", "prompt": "dig to the bottom", "run_in_background": true, "isolation": "process"}))
		})
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, "shot.png"), shot.Bytes(), 0o600))
		x := s.open(t)
		x.type_("compare @cal")
		x.see("› calc.go", "enter takes")
		x.type_(keyTab)
		x.see("compare @calc.go")
		x.type_("with @sht")
		x.see("› shot.png")
		x.type_(keyEnter)
		x.see("compare @calc.go with @shot.png")
		x.seeNot("enter takes")
		x.type_(keyEnter)
		x.see("▤ calc.go", "▤ shot.png  image 8×6", "It is on its way.", "I begin to dig.")
		h := s.server.await(t, parentAsked("compare @calc.go with @shot.png"))
		require.True(t, h.asked(`<attached path="calc.go">`))
		require.True(t, h.hasSeen(shot.Bytes()))

		x.type_(keyDown)
		x.see("enter open")
		x.type_(keyEnter)
		x.see("dig to the bottom")
		x.type_("now @shot")
		x.see("› shot.png")
		x.type_(keyTab)
		x.see("now @shot.png")
		x.type_(keyEnter)
		x.see("queued: now @shot.png")
		close(release)
		x.see("▤ shot.png  image 8×6", "step 2", "The child has it.")
		h = s.server.await(t, func(h heard) bool { return h.child("dig") && h.asked("now @shot.png") })
		require.True(t, h.hasSeen(shot.Bytes()))
		x.type_(keyLeft)
		x.see("All is told.")
		require.Equal(t, 0, x.quit())
	})
}

func TestTheKeysOfAnOpenCompletion(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return surprised() })
		x := s.open(t)
		x.type_("/")
		first := x.seeMatch(`› (/\w+) +\w`)[1]
		x.type_(keyDown)
		x.seeNot("› " + first)
		x.type_(keyUp)
		x.see("› " + first)
		x.type_(keyShiftTab)
		x.seeNot("› " + first)
		x.type_(keyEsc)
		x.seeNot("enter takes")
		x.see("› /")
		x.type_(keyEsc) // now it is the composer's
		x.see("Ask Pawl anything")
		x.type_("/compac")
		x.see("› /compact  ")
		x.type_(keyTab)
		x.seeNot("enter takes")
		x.see("› /compact")
		x.type_(keyEsc)
		x.see("Ask Pawl anything")
		x.type_("/sto")
		x.see("› /stop")
		x.type_(keyEnter)
		x.see("nothing is running here")
		require.Equal(t, 0, x.quit())
	})
}

func TestAPromptBringsAlongWhatItNamesByTheRulesAndAsItWasThen(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("They add.") })
	s.configured(t, "[permissions]\ndeny = [\"read(README.*)\"]\n")
	_, errs, code := s.prompted(t, "-p", "compare @calc.go with @README.md, @param")
	require.Equal(t, 0, code, errs)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "calc.go"), []byte("package gone\n"), 0o600))
	_, errs, code = s.prompted(t, "--continue", "-p", "and now?")
	require.Equal(t, 0, code, errs)
	h := s.server.await(t, parentAsked("and now?"))
	first := h.messages[0].text
	require.Contains(t, first, "compare @calc.go with @README.md, @param")
	require.Contains(t, first, "<attached path=\"calc.go\">\n     1\tpackage calc\n")
	require.Contains(t, first, "[@README.md is not attached: README.md is not to be read: the user's rule read(README.*) denies it]")
	require.NotContains(t, string(h.raw), "Adds numbers")
	require.NotContains(t, string(h.raw), "package gone")
}

func TestWhatIsPipedInReachesNothingOutsideTheFolder(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("A picture.") })
	elsewhere := t.TempDir()
	for _, name := range []string{"own.png", "private.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, name), []byte("\x89PNG\r\n\x1a\n"), 0o600))
	}
	words, piped := "what is on @"+elsewhere+"/own.png ?", "it is not @"+elsewhere+"/private.png as in @calc.go\n"
	_, errs, code := runWith(t, piped, s.dir, s.env, s.flags("-p", words)...)
	require.Equal(t, 0, code, errs)
	said := s.server.await(t, parentAsked("what is on")).messages[0].text
	require.Contains(t, said, `<attached path="`+elsewhere+`/own.png">`)
	require.Contains(t, said, "[@"+elsewhere+"/private.png is not attached: ")
	require.Contains(t, said, `<attached path="calc.go">`)
}
