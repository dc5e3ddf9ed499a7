package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// wantsShell is the script of a parent that runs one command and says how it went.
func wantsShell(h modeltest.Request) modeltest.Reply {
	if h.Answered("shell") {
		return modeltest.Say("That was that.")
	}
	return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt; echo printed"}))
}

func TestShellRunsWhenTheUserSaysYes(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, wantsShell)
		x := s.Open(t)
		x.Prompt("run it")
		x.Asked()
		require.NoFileExists(t, s.Dir+"/made.txt")
		require.Len(t, s.Server.All(modeltest.FromParent), 1)
		x.Type("y")
		x.See("That was that.")
		require.FileExists(t, s.Dir+"/made.txt")
		require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "printed")
		require.Equal(t, 0, x.Quit())
	})
}

func TestShellIsDeniedWhenTheUserSaysNoAndTheModelIsTold(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for _, no := range []string{"n", harness.KeyEsc} {
			s := harness.NewStage(t, p, wantsShell)
			x := s.Open(t)
			x.Prompt("run it")
			x.Asked()
			x.Type(no)
			x.See("That was that.")
			require.NoFileExists(t, s.Dir+"/made.txt")
			require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "Denied")
			require.Equal(t, 0, x.Quit())
		}
	})
}

func TestShellIsNotAskedAboutInBypassMode(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, wantsShell)
		x := s.Open(t, "--permission-mode", "bypass")
		x.Prompt("run it")
		x.See("That was that.")
		require.FileExists(t, s.Dir+"/made.txt")
		require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "printed")
		require.Equal(t, 0, x.Quit())
	})
}

func TestSubagentsQuestionNamesTheSubagent(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("make the file"):
				return wantsShell(h)
			case h.Answered("agent"):
				return modeltest.Say("It is made.")
			}
			return modeltest.Do(modeltest.Delegate("file making", "make the file"))
		})
		x := s.Open(t)
		x.Prompt("delegate it")
		x.Asked()
		x.See("file making wants to use")
		x.Answer("y")
		x.See("It is made.")
		require.FileExists(t, s.Dir+"/made.txt")
		require.Equal(t, 0, x.Quit())
	})
}

func TestBackgroundRunIsDeniedWithoutAQuestion(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("make the file"):
				return wantsShell(h)
			case len(h.Notices()) > 0:
				return modeltest.Say("I have heard of an end.")
			case h.Answered("agent"):
				return modeltest.Say("It is on its way.")
			}
			return modeltest.Do(modeltest.Launch("file making", "make the file"))
		})
		x := s.Open(t)
		x.Prompt("send it")
		x.See("1 denied", "I have heard of an end.")
		require.NoFileExists(t, s.Dir+"/made.txt")
		h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the file") && h.Answered("shell") })
		require.Contains(t, h.ResultsOf("shell")[0], "Denied")
		require.Equal(t, 0, x.Quit())
	})
}

func TestCardGrantsWhatWasDeniedAndTheSubagentTriesAgain(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("make the file") && h.Answered("shell") && harness.ContainsAll(h.ResultsOf("shell")[0], "Denied"):
				return modeltest.Say("I was not allowed to.")
			case h.Child("make the file") && h.Answered("shell"):
				return modeltest.Say("Made it.")
			case h.Child("make the file"):
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
			case len(h.Notices()) > 0:
				return modeltest.Say("I have heard of an end.")
			case h.Answered("agent"):
				return modeltest.Say("It is on its way.")
			}
			return modeltest.Do(modeltest.Launch("file making", "make the file"))
		})
		x := s.Open(t)
		x.Prompt("send it")
		x.See("1 denied", "I have heard of an end.")
		x.Rest()
		x.Type(harness.KeyDown)
		x.See("g grant")
		x.Type("g")
		x.See("Denied to \"file making\"", "1 of 1 chosen")
		x.Type("g")
		x.See("again, and these are allowed until you quit")
		x.Type("g")
		x.See("Made it.")
		require.FileExists(t, s.Dir+"/made.txt")
		s.Server.Await(t, func(h modeltest.Request) bool {
			return h.Parent() && len(h.Notices()) == 2 && harness.ContainsAll(h.Notices()[1], "<result>Made it.</result>")
		})
	})
}

func TestCtrlCOnAQuestionDeniesItAndStopsThatRun(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("make the file"):
				return wantsShell(h)
			case h.Answered("agent"):
				return modeltest.Say("You stopped it.")
			}
			return modeltest.Do(modeltest.Delegate("file making", "make the file"))
		})
		x := s.Open(t)
		x.Prompt("delegate it")
		x.See("wants to use shell")
		x.Type(harness.KeyCtrlC)
		x.See("You stopped it.")
		require.NoFileExists(t, s.Dir+"/made.txt")
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Len(t, s.Server.All(modeltest.FromChild("make the file")), 1)
		require.Equal(t, 0, x.Quit())
	})
}
