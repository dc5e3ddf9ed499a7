package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// hears is a model that works for good at "begin" and in a subagent, and else says what it was told last.
func hears(h modeltest.Request) modeltest.Reply {
	last := h.Messages[len(h.Messages)-1].Text
	heard := modeltest.Say(fmt.Sprintf("I have heard (%s).", strings.ReplaceAll(last, "\n", " then ")))
	switch {
	case h.Child("dig") && !h.Asked("look"):
		return modeltest.Say("I dig").Until(make(chan struct{}))
	case h.Parent() && last == "begin":
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	case h.Answered("agent"):
		return modeltest.Say("It is on its way.")
	case h.Parent() && last == "send one":
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
	}
	return heard
}

// atWorkWith has the main agent work, and these messages wait for it.
func atWorkWith(t *testing.T, x *harness.Terminal, messages ...string) {
	t.Helper()
	x.Prompt("begin")
	x.See("I have just begun")
	for _, message := range messages {
		x.Prompt(message)
		x.See("queued: " + message)
	}
}

// detaches leaves a session as it is.
func detaches(t *testing.T, x *harness.Terminal) {
	t.Helper()
	x.Type("\x1c")
	require.Equal(t, 0, x.Wait())
}

const notDelivered = "not delivered; it is back in the composer"

func TestAQueuedMessageIsInTheLineAfterACrashAndOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), hears)
	x := s.Open(t)
	atWorkWith(t, x, "and hurry")
	x.Crash()
	s.AwaitNoHost(t)

	x = s.Open(t, "-c")
	x.See("interrupted", "and hurry", notDelivered)
	detaches(t, x)
	s.AwaitNoHost(t)
	x = s.Open(t, "-c")
	x.See("and hurry")
	x.Type(harness.KeyEnter)
	x.See("I have heard (begin then and hurry).") // the prompt that was not answered goes along
	require.Equal(t, 0, x.Quit())
	x = s.Open(t, "-c")
	x.Prompt("and now?")
	x.See("I have heard (and now?).")
	require.Equal(t, 0, x.Quit())
}

func TestMessagesThatWaitWhenAllIsStoppedForQuittingAreInTheNextLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), hears)
	x := s.Open(t)
	atWorkWith(t, x, "one more", "and another")
	x.Type("\x04") // Ctrl+D
	x.See("stop them and quit")
	x.Type("x")
	require.Equal(t, 0, x.Wait())

	x = s.Open(t, "-c")
	x.See("one more", "and another", notDelivered)
	x.Type(harness.KeyEnter)
	x.See("I have heard (one more then and another).")
	require.Equal(t, 0, x.Quit())
}

func TestAMessageThatCameBackWithoutAScreenIsAboveTheDraftOfOneScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), hears)
	x := s.Open(t)
	atWorkWith(t, x, "and hurry")
	x.Type("a draft")
	x.See("a draft")
	detaches(t, x)
	ran(t, s, "stop", openSessions(t, s)[0].Session)
	s.AwaitNoHost(t)

	one := harness.Start(t, s.Dir, s.Env, "attach")
	one.See("and hurry", "a draft", notDelivered)
	two := harness.Start(t, s.Dir, s.Env, "attach")
	two.See("stopped by you")
	two.Prompt("from here")
	two.See("I have heard (from here).")
	one.See("I have heard (from here).", "and hurry")
	one.Type(harness.KeyEnter)
	for _, screen := range []*harness.Terminal{one, two} {
		screen.See("I have heard (and hurry then a draft).")
	}
	require.Equal(t, 0, two.Quit())
	require.Equal(t, 0, one.Quit())
}

// The host stays, for a subagent works in it.
func TestAMessageThatCameBackIsGivenToNoLaterScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), hears)
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.")
	atWorkWith(t, x, "and hurry")
	detaches(t, x)
	id := openSessions(t, s)[0].Session
	ran(t, s, "stop", id)

	x = harness.Start(t, s.Dir, s.Env, "attach")
	x.See("and hurry", notDelivered)
	x.Rest()
	x.Type(harness.KeyEsc)
	x.See("cleared · ctrl+y")
	detaches(t, x)
	x = harness.Start(t, s.Dir, s.Env, "attach")
	x.See("It is on its way.")
	x.Prompt("and now?")
	x.See("I have heard (and now?).")
	detaches(t, x)
	ran(t, s, "stop", id, "--all")
}

func TestAMessageToASubagentThatCameBackWithoutAScreenIsInItsLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), hears)
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.", "I dig")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.See("dig to the bottom")
	x.Prompt("look left")
	x.See("queued: look left")
	detaches(t, x)
	ran(t, s, "stop", openSessions(t, s)[0].Session, "--all")
	s.AwaitNoHost(t)

	x = s.Open(t, "-c")
	x.See(notDelivered)
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.See("dig to the bottom", "look left")
	x.Type(harness.KeyEnter)
	x.See("I have heard (look left).")
	detaches(t, x)
	s.AwaitNoHost(t)
}
