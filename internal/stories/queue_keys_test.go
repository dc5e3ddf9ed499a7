package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inThisOrder waits until all these texts are on the screen, one after another.
func (x *terminal) inThisOrder(texts ...string) {
	x.t.Helper()
	x.waitFor(strings.Join(texts, ", then "), func(screen string) bool {
		for _, text := range texts {
			_, after, found := strings.Cut(screen, text)
			if !found {
				return false
			}
			screen = after
		}
		return true
	})
}

// A person reaches the messages that wait, and what the model is given at its next step
// is what they made of them.
func TestWaitingMessagesAreEditedMovedAndWithdrawn(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.answered("read") {
			return say("That is all.")
		}
		answer := do(use("read", object{"path": "calc.go"})).saying("I look.")
		answer.hold = release
		return answer
	})
	x := s.open(t)
	x.prompt("what is there?")
	x.see("I look.")
	for _, text := range []string{"one", "two", "three", "four"} {
		x.prompt(text)
		x.see("queued: one", "Ask Pawl")
	}
	x.see("… 2 more queued", "↑ edit, move, delete")

	x.type_(keyUp)
	x.see("› queued: four", "J K move")
	x.type_("d")
	x.see("deleted", "› queued: three")
	x.type_("K")
	x.inThisOrder("queued: one", "› queued: three", "queued: two")
	x.type_(keyShiftUp)
	x.inThisOrder("› queued: three", "queued: one", "queued: two")
	x.type_("J")
	x.inThisOrder("queued: one", "› queued: three", "queued: two")
	x.type_(keyShiftDown)
	x.inThisOrder("queued: one", "queued: two", "› queued: three")
	x.type_(keyAltUp)
	x.inThisOrder("queued: one", "› queued: three", "queued: two")
	x.type_(keyAltDown)
	x.inThisOrder("queued: one", "queued: two", "› queued: three")

	x.type_("e")
	x.see("being edited: three", "enter save")
	x.type_(" thirds", keyEnter)
	x.see("queued: three thirds", "changed; still queued in the same place", "Ask Pawl")
	x.type_(keyUp)
	x.see("› queued: three thirds")
	x.type_(keyUp)
	x.see("› queued: two")
	x.type_(keyEnter)
	x.see("being edited: two")
	x.type_(" halves", keyEsc)
	x.see("message unchanged", "queued: two")
	x.type_(keyUp, keyUp)
	x.see("› queued: two")
	x.type_(keyDelete)
	x.seeNot("queued: two")
	x.see("› queued: three thirds")
	x.type_("?")
	x.see("More for writing", "esc close")
	x.seeNot("› queued") // the rest of the frame before may stand for a moment
	x.type_(keyEsc)
	x.see("› queued: three thirds")
	x.type_(keyDown)
	x.seeNot("› queued")
	x.type_(keyUp)
	x.see("› queued: three thirds")
	x.type_(keyEsc)
	x.seeNot("› queued")
	x.type_(keyUp)
	x.see("› queued: three thirds")
	x.type_(keyLeft)
	x.seeNot("› queued")
	x.type_(keyUp)
	x.see("› queued: three thirds")
	x.type_(keyCtrlC)
	x.seeNot("› queued")
	x.type_(keyUp)
	x.see("› queued: three thirds")
	x.type_(keyUp, keyBackspace)
	x.seeNot("queued: one")
	x.see("› queued: three thirds")

	close(release)
	x.see("That is all.", "three thirds", "step 2")
	h := s.server.await(t, parentAsked("three thirds"))
	require.True(t, h.answered("read"))
	for _, gone := range []string{"one", "two", "four"} {
		require.False(t, h.asked(gone), "%s was withdrawn", gone)
	}
	require.Equal(t, 0, x.quit())
}
