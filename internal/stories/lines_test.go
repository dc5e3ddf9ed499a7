package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Whoever asks stands first and in sight, in front of those that work; what ended well is one line,
// which opens; and when all of it was looked at the sums alone are left.
func TestTheLinesSayWhoAsksAndFoldWhatEndedWell(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("fix") && h.Answered("shell"):
			return modeltest.Say("It is fixed.")
		case h.Child("fix"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch fixed.txt"}))
		case h.Child("dig"), h.Child("look"):
			return modeltest.Say("I am ").Until(release, "done.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of it.")
		case h.Answered("agent"):
			return modeltest.Say("All is under way.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig down"), modeltest.Launch("a look", "look up"), modeltest.Delegate("a fix", "fix it"))
	})
	x := s.Open(t)
	x.Prompt("send three")
	x.See("asks you: shell touch fixed.txt", "3 subagents · 2 work · 1 asks", "wants to use shell", "2 of 5 slots")
	x.InThisOrder("? general a fix ", "general a dig  ", "general a look  ", "3 subagents · 2 work", "wants to use shell")
	x.Answer("y")
	x.See("All is under way.")
	close(release)
	x.See("I have heard of it.", "✓ 2 completed", "a dig, a look")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open · del hide them")
	x.Type(harness.KeyEnter)
	x.See("enter fold", "✓ general a dig   I am done.", "✓ general a look  I am done.")
	x.Type(harness.KeyDown, harness.KeyEnter)
	x.See(`Message "a dig"`)
	x.Type(harness.KeyTab)
	x.See(`Message "a look"`)
	x.Type(harness.KeyLeft)
	x.See("I have heard of it.", "── 3 subagents · ")
	x.SeeNot("✓ general a look  I")
	require.Equal(t, 0, x.Quit())
}
