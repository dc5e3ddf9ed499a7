package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A person reaches the messages that wait, and what the model is given at its next step
// is what they made of them.
func TestWaitingMessagesAreEditedMovedAndWithdrawn(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("read") {
			return modeltest.Say("That is all.")
		}
		answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I look.")
		answer.Hold = release
		return answer
	})
	x := s.Open(t)
	x.Prompt("what is there?")
	x.See("I look.")
	for _, text := range []string{"one", "two", "three", "four"} {
		x.Prompt(text)
		x.See("queued: one", "Ask Pawl")
	}
	x.See("… 2 more queued", "↑ edit, move, delete")

	x.Type(harness.KeyUp)
	x.See("› queued: four", "J K move")
	x.Type("d")
	x.See("deleted", "› queued: three")
	x.Type("K")
	x.InThisOrder("queued: one", "› queued: three", "queued: two")
	x.Type(harness.KeyShiftUp)
	x.InThisOrder("› queued: three", "queued: one", "queued: two")
	x.Type("J")
	x.InThisOrder("queued: one", "› queued: three", "queued: two")
	x.Type(harness.KeyShiftDown)
	x.InThisOrder("queued: one", "queued: two", "› queued: three")
	x.Type(harness.KeyAltUp)
	x.InThisOrder("queued: one", "› queued: three", "queued: two")
	x.Type(harness.KeyAltDown)
	x.InThisOrder("queued: one", "queued: two", "› queued: three")

	x.Type("e")
	x.See("being edited: three", "enter save")
	x.Type(" thirds", harness.KeyEnter)
	x.See("queued: three thirds", "changed; still queued in the same place", "Ask Pawl")
	x.Type(harness.KeyUp)
	x.See("› queued: three thirds")
	x.Type(harness.KeyUp)
	x.See("› queued: two")
	x.Type(harness.KeyEnter)
	x.See("being edited: two")
	x.Type(" halves", harness.KeyEsc)
	x.See("message unchanged", "queued: two")
	x.Type(harness.KeyUp, harness.KeyUp)
	x.See("› queued: two")
	x.Type(harness.KeyDelete)
	x.SeeNot("queued: two")
	x.See("› queued: three thirds")
	x.Type("?")
	x.See("More for writing", "esc close")
	x.SeeNot("› queued") // the rest of the frame before may stand for a moment
	x.Type(harness.KeyEsc)
	x.See("› queued: three thirds")
	x.Type(harness.KeyDown)
	x.SeeNot("› queued")
	x.Type(harness.KeyUp)
	x.See("› queued: three thirds")
	x.Type(harness.KeyEsc)
	x.SeeNot("› queued")
	x.Type(harness.KeyUp)
	x.See("› queued: three thirds")
	x.Type(harness.KeyLeft)
	x.SeeNot("› queued")
	x.Type(harness.KeyUp)
	x.See("› queued: three thirds")
	x.Type(harness.KeyCtrlC)
	x.SeeNot("› queued")
	x.Type(harness.KeyUp)
	x.See("› queued: three thirds")
	x.Type(harness.KeyUp, harness.KeyBackspace)
	x.SeeNot("queued: one")
	x.See("› queued: three thirds")

	close(release)
	x.See("That is all.", "three thirds", "step 2")
	h := s.Server.Await(t, modeltest.ParentAsked("three thirds"))
	require.True(t, h.Answered("read"))
	for _, gone := range []string{"one", "two", "four"} {
		require.False(t, h.Asked(gone), "%s was withdrawn", gone)
	}
	require.Equal(t, 0, x.Quit())
}
