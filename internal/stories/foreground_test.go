package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestForegroundSubagentRunsToCompleted(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("count the functions"):
				return modeltest.Say("There is one ").Until(release, "function: Add.")
			case h.Answered("agent"):
				return modeltest.Say("One function, says the subagent.")
			}
			return modeltest.Do(modeltest.Delegate("count functions", "count the functions of calc.go")).Saying("I ask somebody.")
		})
		x := s.Open(t)
		x.Prompt("delegate the counting")
		x.See("count functions", "There is one")
		close(release)
		x.See("count functions", "completed", "There is one function: Add.", "One function, says the subagent.")
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Len(t, got, 1)
		require.Equal(t, "completed", got[0].Status)
		require.Equal(t, "There is one function: Add.", got[0].Output)
		require.False(t, got[0].Partial)
		require.Equal(t, 0, x.Quit())
	})
}

func TestEscStopsTheForegroundSubagentAndTheParentGoesOn(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("read everything"):
				return modeltest.Say("I have read ", "half of it").Until(make(chan struct{}))
			case h.Answered("agent"):
				return modeltest.Say("Then I go on without it.")
			}
			return modeltest.Do(modeltest.Delegate("slow reading", "read everything twice"), modeltest.Use("read", modeltest.Object{"path": "README.md"}))
		})
		x := s.Open(t)
		x.Prompt("delegate the reading")
		x.See("slow reading", "I have read half of it")
		x.Type(harness.KeyEsc)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild("read everything")))

		h := s.Server.Await(t, modeltest.ParentTold("agent"))
		got := harness.Tellings(t, h)
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Equal(t, "key", got[0].Cause)
		require.Equal(t, "I have read half of it", got[0].Output)
		require.True(t, got[0].Partial)
		require.Contains(t, got[0].Message, "do not start it again")
		require.Contains(t, h.ResultsOf("read")[0], "Adds numbers", "the sibling's result must stand")
		x.See("stopped by you", "Then I go on without it.")
		require.Equal(t, 0, x.Quit())
	})
}

func TestCtrlCStopsTheParentWithItsForegroundSubagent(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("read everything"):
				return modeltest.Say("I have read half of it").Until(make(chan struct{}))
			case h.Asked("what became of it?"):
				return modeltest.Say("You stopped it.")
			}
			return modeltest.Do(modeltest.Delegate("slow reading", "read everything twice"))
		})
		x := s.Open(t)
		x.Prompt("delegate the reading")
		x.See("slow reading", "I have read half of it")
		x.Type(harness.KeyCtrlC)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild("read everything")))
		x.See("stopped by you")
		x.Rest()
		x.Prompt("what became of it?")
		h := s.Server.Await(t, modeltest.ParentAsked("what became of it?"))
		require.Len(t, s.Server.All(modeltest.FromParent), 2, "the main agent was stopped: it asks no more by itself")
		got := harness.Tellings(t, h)
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Equal(t, "I have read half of it", got[0].Output)
		x.See("You stopped it.")
		require.Equal(t, 0, x.Quit())
	})
}

func TestSubagentThatEndsEmptyIsNudgedOnceAndToldAsEmpty(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("say nothing") && h.Answered("read"):
				return modeltest.Nothing()
			case h.Child("say nothing") && h.Asked("eport what you found"):
				return modeltest.Nothing()
			case h.Child("say nothing"):
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
			case h.Answered("agent"):
				return modeltest.Say("It found no words.")
			}
			return modeltest.Do(modeltest.Delegate("stay silent", "say nothing at all"))
		})
		x := s.Open(t)
		x.Prompt("delegate silence")
		x.See("stay silent", "ended without an answer", "It found no words.")
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "completed_empty", got[0].Status)
		require.NotEmpty(t, got[0].Output, "no result text is ever empty")
		require.Contains(t, got[0].Message, "Nothing of it is running")
		require.Len(t, s.Server.All(modeltest.FromChild("say nothing")), 3, "its work, its silence, one nudge")
		require.Equal(t, 0, x.Quit())
	})
}

func TestParallelSubagentsAnswerInTheOrderOfTheirCalls(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		slow := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("go slowly"):
				return modeltest.Say("slow").Until(slow, " but sure")
			case h.Child("go quickly"):
				return modeltest.Say("quick as that")
			case h.Answered("agent"):
				return modeltest.Say("Both have answered.")
			}
			return modeltest.Do(modeltest.Delegate("the slow one", "go slowly"), modeltest.Delegate("the quick one", "go quickly"))
		})
		x := s.Open(t)
		x.Prompt("send both")
		x.See("the slow one", "quick as that")
		close(slow)
		x.See("Both have answered.")
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "slow but sure", got[0].Output)
		require.Equal(t, "quick as that", got[1].Output)
		require.Equal(t, 0, x.Quit())
	})
}
