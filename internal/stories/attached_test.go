package stories

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// manySteps are as many as make more records than a screen begins with.
const manySteps = 50

// tells is a model that asks a question, takes many steps and sends somebody, at "begin", and asks
// another question at "go on".
func tells(begun <-chan struct{}) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		steps := len(h.Messages)
		switch {
		case h.Child("dig"):
			return modeltest.Say("I have just begun").Until(make(chan struct{}))
		case h.Asked("go on"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo new > new.txt"})).Saying("I go on.")
		case h.Answered("shell") && steps > manySteps:
			return modeltest.Say("It is made,").Until(begun, " and told.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		case steps > manySteps:
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		case h.Answered("shell"), h.Answered("list"):
			return modeltest.Do(modeltest.Use("list", modeltest.Object{"path": "."})).Saying(fmt.Sprintf("Message %d.", steps))
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo old > old.txt"}))
	}
}

func TestAScreenThatComesLaterBeginsWithThePresent(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), tells(begun))
	first := s.Open(t)
	first.Prompt("begin")
	first.See("wants to use shell", "echo old")
	first.Answer("y")
	first.See("It is on its way.", "I have just begun")
	first.Rest()
	first.Prompt("go on")
	first.See("wants to use shell", "echo new")

	x := harness.Start(t, s.Dir, s.Env, "attach")
	x.See("wants to use shell", "echo new")
	x.Answer("y")
	first.See("It is made,")
	x.See("It is made,", "esc stops")
	x.Type(harness.KeyCtrlHome)
	x.See("begin", "echo old", "Message 5.")
	x.Type(harness.KeyCtrlEnd)
	x.See("It is made,")

	last := harness.Start(t, s.Dir, s.Env, "attach")
	last.See("It is made,", "esc stops")
	last.Type(harness.KeyTab)
	last.See("dig to the bottom", "I have just begun")
	last.Type(harness.KeyLeft)
	close(begun)
	for _, one := range []*harness.Terminal{first, x, last} {
		one.See("It is made, and told.")
		one.Rest()
	}
	for _, one := range []*harness.Terminal{x, last} {
		require.NotContains(t, one.Raw(), "send what you want done here", "it was never new there")
	}
	require.NotContains(t, last.Raw(), "wants to use shell")
	for _, one := range []*harness.Terminal{x, last, first} {
		detaches(t, one)
	}
	ran(t, s, "stop", openSessions(t, s)[0].Session, "--all")
	s.AwaitNoHost(t)
}

func TestAScreenThatComesLaterCallsNobodyForWhatFailedBefore(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Fault(400, "the words are too long")
	})
	first := s.Open(t)
	first.Prompt("begin")
	first.See("the words are too long")
	first.SeeRaw("\x1b]2;☒ pawl ")
	later := harness.Start(t, s.Dir, s.Env, "attach")
	later.See("the words are too long")
	later.SeeRaw("\x1b]2;pawl ")
	require.NotContains(t, later.Raw(), "\x1b]2;☒")
	require.Equal(t, 0, later.Quit())
	require.Equal(t, 0, first.Quit())
}
