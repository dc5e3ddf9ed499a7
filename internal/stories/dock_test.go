package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What a crash cut off can be continued by the key that its line offers, also after the
// parent has heard of it and gone on; what ended without an answer stays until it is put
// away, and then for good.
func TestWhatALineOffersWorksAfterTheParentWentOn(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Nothing()
		case h.Child("dig") && h.Asked("was interrupted"):
			return modeltest.Say("Now it is dug.")
		case h.Child("dig"):
			return modeltest.Say("I have just begun").Until(never)
		case len(h.Notices()) > 0 && h.Asked("and?"):
			return modeltest.Say("I do without it.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("They are on their way.")
		}
		return modeltest.Do(modeltest.Launch("a look", "look around"), modeltest.Launch("a dig", "dig to the bottom"))
	})
	x := s.Open(t)
	x.Prompt("send both")
	x.See("I have just begun", "I have heard of an end.", "ended without an answer")
	x.Rest()
	x.Crash()

	x = s.Open(t, "--continue")
	x.See("a look", "ended without an answer", "interrupted", "r continues it")
	x.Prompt("and?")
	x.See("I do without it.", "r continues it")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("del hide")
	x.Type(harness.KeyDelete)
	x.See("hidden: a look", "r continue")
	x.Type("r")
	x.See("Now it is dug.")
	require.Len(t, s.Server.All(modeltest.FromChild("dig")), 2)
	x.WaitFor("the parent's word on it", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	x.Type(harness.KeyBackspace)
	x.See("hidden: a dig")
	require.Equal(t, 0, x.Quit())

	x = s.Open(t, "--continue")
	x.See("Now it is dug.")
	x.SeeNot("↓ subagents")
}
