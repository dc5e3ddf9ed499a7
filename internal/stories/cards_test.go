package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The parent wakes when a run is overdue; what becomes of the run is its user's to
// choose, on its card.
func TestAnOverdueCardOffersItsChoices(t *testing.T) {
	t.Parallel()
	dig, look := make(chan struct{}), make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("The bottom ").Until(dig, "is stone.")
		case h.Child("look"):
			return modeltest.Say("The sky ").Until(look, "is blue.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("They take long.")
		}
		return modeltest.Do(modeltest.Delegate("a dig", "dig down"), modeltest.Delegate("a look", "look up"))
	}).With("PAWL_SUBAGENTS_FOREGROUND_WARNING=300ms")
	x := s.Open(t)
	x.Prompt("send both")
	x.See("They take long.", "overdue", "↓ then w go on waiting · b to the background · m message · x x stop", "↓ subagents")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open · w go on waiting")
	x.Type("?")
	x.See("esc close")
	x.Type(harness.KeyEsc)
	x.See("enter open")
	x.Type(harness.KeyUp)
	x.See("↓ then w go on waiting")
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type("w")
	x.See("it keeps running; you and the main agent are told when it ends")
	x.Type(harness.KeyDown)
	x.See("enter open · w go on waiting")
	x.Type("b")
	x.See("in the background now: a look")
	x.SeeNot("go on waiting ·")
	x.Type("m")
	x.See(`Message "a look"`, "2 of 2")
	x.Type(harness.KeyAltUp)
	x.See("1 of 2")
	x.Type(harness.KeyTab)
	x.See("2 of 2")
	x.Type(harness.KeyLeft)
	x.See("They take long.")
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.StopCard()
	x.See("stopped: a dig", "stopped by you")
	x.See("I have heard of an end.")
	close(look)
	x.See("not opened")
	x.WaitFor("the parent's word on both ends", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	require.Equal(t, 0, quitFromCard(x))
}

// quitFromCard leaves a session whose card has the focus.
func quitFromCard(x *harness.Terminal) int {
	x.T.Helper()
	x.Rest()
	x.Type(harness.KeyLeft)
	x.SeeNot("enter open")
	return x.Quit()
}

// An end is unread until its session is opened, also by the next process; what came
// since stands below a line.
func TestWhatASubagentDidUnseenIsMarkedUntilItIsSeen(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(func(h modeltest.Request) modeltest.Reply {
		if h.Answered("read") {
			return modeltest.Say().Until(release, "Stone.")
		}
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I begin to dig.")
	}, "Stone, it says."))
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.")
	s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Answered("read") })
	x.Type(harness.KeyDown, harness.KeyRight)
	x.See("dig to the bottom", `Message "a dig"`, "I begin to dig.", "read calc.go")
	x.Type(harness.KeyLeft)
	x.See("It is on its way.")
	close(release)
	x.See("Stone, it says.", "not opened")
	require.Equal(t, 0, x.Quit())

	x = s.Open(t, "--continue")
	x.See("Stone, it says.", "not opened")
	x.Type(harness.KeyTab)
	x.InThisOrder("I begin to dig.", "new since you looked", "Stone.")
	x.Type(harness.KeyLeft)
	x.See("Stone, it says.")
	x.SeeNot("not opened")
	x.Type(harness.KeyTab)
	x.See("1 of 1", "Stone.")
	x.SeeNot("new since you looked")
	x.Type(harness.KeyLeft)
	x.See("Stone, it says.")
	require.Equal(t, 0, x.Quit())
}
