package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// On a wide screen a subagent's session opens beside the conversation: both go on, each takes
// what is typed to it, and Tab changes sides.
func TestASubagentsSessionStandsBesideTheConversation(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	script := oneDig(func(h modeltest.Request) modeltest.Reply {
		if h.Asked("how deep?") {
			return modeltest.Say("Three metres.")
		}
		return digging("The bottom ", release, "is stone.")(h)
	}, "Stone, it says.")
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and the sky?") {
			return modeltest.Say("It is blue.")
		}
		return script(h)
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.")
	x.Resize(160, 40)
	x.Type(harness.KeyTab)
	x.See("│ ← a dig", "It is on its way.", "│   The bottom", "· Ask Pawl anything", `│ › Message "a dig"`, "← close  tab other side")
	x.Prompt("how deep?")
	x.See("│   queued: how deep?", "It is on its way.")
	x.Type(harness.KeyTab)
	x.See("› Ask Pawl anything", `│ · Message "a dig"`)
	x.Prompt("and the sky?")
	x.See("It is blue.", "│   The bottom")
	close(release)
	x.See("│   Three metres.")

	x.Resize(120, 40)
	x.See("It is blue.")
	x.SeeNot("← a dig")
	x.Resize(160, 40)
	x.See("It is blue.", "│   Three metres.")
	x.Type(harness.KeyTab)
	x.See(`│ › Message "a dig"`)
	x.Type(harness.KeyLeft)
	x.SeeNot("← a dig")
	x.Prompt("/split")
	x.See("beside the conversation: a dig", "│   Three metres.")
	x.Prompt("/split")
	x.See("a subagent's session covers the conversation from now on")
	x.SeeNot("← a dig")
	require.Equal(t, 0, x.Quit())
}

// A setting keeps a wide screen to one session, as a narrow one has it.
func TestASettingKeepsAWideScreenToOneSession(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("The bottom is stone.")
		case h.Answered("agent"):
			return modeltest.Say("So it is.")
		}
		return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
	}).With("PAWL_SCREEN_SPLIT=off")
	x := s.Open(t)
	x.Resize(160, 40)
	x.Prompt("send one")
	x.See("So it is.")
	x.Type(harness.KeyTab)
	x.See(`› Message "a dig"`)
	x.SeeNot("So it is.")
	x.Type(harness.KeyLeft)
	x.See("So it is.")
	require.Equal(t, 0, x.Quit())
}
