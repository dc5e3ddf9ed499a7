package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestAttachTakesTheLastSessionBeforeOneThatIsOpenAndIdle(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("once more"):
			return modeltest.Say("The old one,").Until(release, " once more.")
		case h.Asked("an old tale"):
			return modeltest.Say("Once upon a time.")
		}
		return modeltest.Say("Just now.")
	})
	idle := s.Open(t)
	idle.Prompt("an old tale")
	idle.See("Once upon a time.")
	idle.Rest()
	_, errs, code := s.Prompted(t, "-p", "a new tale")
	require.Equal(t, 0, code, errs)
	attached := func(shows string) {
		t.Helper()
		x := harness.Start(t, s.Dir, s.Env, "attach")
		x.See(shows)
		x.Rest()
		require.Equal(t, 0, x.Quit())
	}
	attached("Just now.")
	idle.Prompt("once more")
	idle.See("The old one,")
	at := harness.Start(t, s.Dir, s.Env, "attach")
	at.See("The old one,")
	close(release)
	at.See("once more.")
	at.Rest()
	require.Equal(t, 0, at.Quit())
	attached("The old one, once more.")
	require.Equal(t, 0, idle.Quit())
}
