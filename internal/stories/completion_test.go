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

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// hasSeen says that a request brings this picture.
func hasSeen(h modeltest.Request, picture []byte) bool {
	return strings.Contains(string(h.Raw), base64.StdEncoding.EncodeToString(picture))
}

func TestWhatAMessageNamesIsCompletedAndGoesToTheModel(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		var shot bytes.Buffer
		require.NoError(t, png.Encode(&shot, image.NewGray(image.Rect(0, 0, 8, 6))))
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && h.Asked("now @"):
				return modeltest.Say("The child has it.")
			case h.Child("dig"):
				answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "README.md"})).Saying("I begin to dig.")
				answer.Hold = release
				return answer
			case len(h.Notices()) > 0:
				return modeltest.Say("All is told.")
			case h.Answered("agent"):
				return modeltest.Say("It is on its way.")
			}
			return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "a dig", "prompt": "dig to the bottom", "run_in_background": true, "isolation": "process"}))
		})
		require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "shot.png"), shot.Bytes(), 0o600))
		x := s.Open(t)
		x.Type("compare @cal")
		x.See("› calc.go", "enter takes")
		x.Type(harness.KeyTab)
		x.See("compare @calc.go")
		x.Type("with @sht")
		x.See("› shot.png")
		x.Type(harness.KeyEnter)
		x.See("compare @calc.go with @shot.png")
		x.SeeNot("enter takes")
		x.Type(harness.KeyEnter)
		x.See("▤ calc.go", "▤ shot.png  image 8×6", "It is on its way.", "I begin to dig.")
		h := s.Server.Await(t, modeltest.ParentAsked("compare @calc.go with @shot.png"))
		require.True(t, h.Asked(`<attached path="calc.go">`))
		require.True(t, hasSeen(h, shot.Bytes()))

		x.Type(harness.KeyDown)
		x.See("enter open")
		x.Type(harness.KeyEnter)
		x.See("dig to the bottom")
		x.Type("now @shot")
		x.See("› shot.png")
		x.Type(harness.KeyTab)
		x.See("now @shot.png")
		x.Type(harness.KeyEnter)
		x.See("queued: now @shot.png")
		close(release)
		x.See("▤ shot.png  image 8×6", "step 2", "The child has it.")
		h = s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Asked("now @shot.png") })
		require.True(t, hasSeen(h, shot.Bytes()))
		x.Type(harness.KeyLeft)
		x.See("All is told.")
		require.Equal(t, 0, x.Quit())
	})
}

func TestTheKeysOfAnOpenCompletion(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
		x := s.Open(t)
		x.Type("/")
		first := x.SeeMatch(`› (/\w+) +\w`)[1]
		x.Type(harness.KeyDown)
		x.SeeNot("› " + first)
		x.Type(harness.KeyUp)
		x.See("› " + first)
		x.Type(harness.KeyShiftTab)
		x.SeeNot("› " + first)
		x.Type(harness.KeyEsc)
		x.SeeNot("enter takes")
		x.See("› /")
		x.Type(harness.KeyEsc) // now it is the composer's
		x.See("Ask Pawl anything")
		x.Type("/compac")
		x.See("› /compact  ")
		x.Type(harness.KeyTab)
		x.SeeNot("enter takes")
		x.See("› /compact")
		x.Type(harness.KeyEsc)
		x.See("Ask Pawl anything")
		x.Type("/sto")
		x.See("› /stop")
		x.Type(harness.KeyEnter)
		x.See("nothing is running here")
		require.Equal(t, 0, x.Quit())
	})
}

func TestAPromptBringsAlongWhatItNamesByTheRulesAndAsItWasThen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("They add.") })
	s.Configured(t, "[permissions]\ndeny = [\"read(README.*)\"]\n")
	_, errs, code := s.Prompted(t, "-p", "compare @calc.go with @README.md, @param")
	require.Equal(t, 0, code, errs)
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "calc.go"), []byte("package gone\n"), 0o600))
	_, errs, code = s.Prompted(t, "--continue", "-p", "and now?")
	require.Equal(t, 0, code, errs)
	h := s.Server.Await(t, modeltest.ParentAsked("and now?"))
	first := h.Messages[0].Text
	require.Contains(t, first, "compare @calc.go with @README.md, @param")
	require.Contains(t, first, "<attached path=\"calc.go\">\n     1\tpackage calc\n")
	require.Contains(t, first, "[@README.md is not attached: README.md is not to be read: the user's rule read(README.*) denies it]")
	require.NotContains(t, string(h.Raw), "Adds numbers")
	require.NotContains(t, string(h.Raw), "package gone")
}

func TestWhatIsPipedInReachesNothingOutsideTheFolder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("A picture.") })
	elsewhere := t.TempDir()
	for _, name := range []string{"own.png", "private.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, name), []byte("\x89PNG\r\n\x1a\n"), 0o600))
	}
	words, piped := "what is on @"+elsewhere+"/own.png ?", "it is not @"+elsewhere+"/private.png as in @calc.go\n"
	_, errs, code := harness.RunWith(t, piped, s.Dir, s.Env, s.Flags("-p", words)...)
	require.Equal(t, 0, code, errs)
	said := s.Server.Await(t, modeltest.ParentAsked("what is on")).Messages[0].Text
	require.Contains(t, said, `<attached path="`+elsewhere+`/own.png">`)
	require.Contains(t, said, "[@"+elsewhere+"/private.png is not attached: ")
	require.Contains(t, said, `<attached path="calc.go">`)
}
