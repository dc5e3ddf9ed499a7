package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestAfterACrashTheScreenSaysWhatWasCutOffAndHowToGoOn(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"), h.Child("look"):
			return modeltest.Say("I have just begun").Until(make(chan struct{}))
		case h.Asked("Your last run was interrupted"):
			return modeltest.Say("I take it up again.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"), modeltest.Delegate("a look", "look around")).Saying("I send two.")
	})
	x := s.Open(t)
	x.Prompt("send one and another")
	x.WaitFor("both at work", func(screen string) bool { return strings.Count(screen, "I have just begun") >= 2 })
	x.Crash()

	x = s.Open(t, "--continue")
	x.See("Pawl ended while this was running. Nothing restarts on its own.", `Interrupted: "a dig", "a look"`,
		"1 result is reported with your next message", // the one that ran in the background; the other was a call's
		"enter on the empty line continues",           // for the parent's own run
		"then r continues one", "r continues it")      // for the subagents
	asked := len(s.Server.All(func(modeltest.Request) bool { return true }))
	require.Equal(t, 3, asked, "nothing has started by itself")
	x.Type(harness.KeyEnter)
	x.See("I take it up again.")
	x.SeeNot("enter on the empty line")
	h := s.Server.Await(t, modeltest.ParentAsked("Your last run was interrupted"))
	require.Len(t, h.Notices(), 1)
	x.Crash()
}

func TestAYesToTrustEndsNoWorkThatHasBegunSinceTheQuestion(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun ").Until(release, "and am done.")
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, ".mcp.json"), []byte(`{"mcpServers":{"disk":{"command":"true"}}}`), 0o600))
	asked := s.Open(t)
	asked.See("Do you trust it?")
	other := harness.Start(t, s.Dir, s.Env, "attach")
	other.Ready()
	other.Prompt("work")
	other.See("I have just begun")
	asked.Type(harness.KeyUp, harness.KeyEnter)
	asked.See("trusted; it applies once this session is opened again", "I have just begun")
	close(release)
	other.See("and am done.")
	require.Len(t, s.Server.All(modeltest.FromParent), 1)
	require.Equal(t, 0, other.Quit())
	require.Equal(t, 0, asked.Quit())
}
