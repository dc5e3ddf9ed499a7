package main

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
			return do(launch("a dig", "dig to the bottom"))
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
		x.type_("now @shot", keyTab)
		x.see("now @shot.png")
		x.type_(keyEnter)
		x.see("queued: now @shot.png")
		close(release)
		x.see("▤ shot.png  image 8×6", "taken in at step 2", "The child has it.")
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
