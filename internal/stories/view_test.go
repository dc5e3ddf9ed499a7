package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestCardOpensItsSessionAndAMessageIsTakenInAtTheNextStep(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, oneDig(func(h modeltest.Request) modeltest.Reply {
			if h.Asked("look for gold too") {
				return modeltest.Say("Stone, and no gold.")
			}
			answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I begin to dig.")
			answer.Hold = release
			return answer
		}, "No gold."))
		x := s.Open(t)
		x.Prompt("send one")
		x.See("It is on its way.", "I begin to dig.")
		x.Type(harness.KeyDown)
		x.See("enter open")
		x.Type(harness.KeyEnter)
		x.See("dig to the bottom")
		x.Prompt("look for gold too")
		close(release)
		x.See("Stone, and no gold.")
		s.Server.Await(t, func(h modeltest.Request) bool {
			return h.Child("dig") && h.Answered("read") && h.Asked("look for gold too")
		})
		x.Type(harness.KeyLeft)
		x.See("send one", "It is on its way.", "No gold.")
		require.Equal(t, 0, x.Quit())
	})
}

func TestCtrlBSendsTheWaitingSubagentToTheBackground(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig"):
				return modeltest.Say("The bottom ").Until(release, "is stone.")
			case len(h.Notices()) > 0:
				return modeltest.Say("Stone, it says.")
			case h.Answered("agent"):
				return modeltest.Say("You sent it away.")
			}
			return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
		})
		x := s.Open(t)
		x.Prompt("send one")
		x.See("a dig", "The bottom")
		x.Type(harness.KeyCtrlB)
		x.See("You sent it away.")
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "running", got[0].Status)
		require.Empty(t, got[0].Warning)
		s.Server.RequireOpen(t, modeltest.FromChild("dig"))
		close(release)
		x.See("Stone, it says.")
		h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) == 1 })
		require.Contains(t, h.Notices()[0], "<result>The bottom is stone.</result>")
		require.Equal(t, 0, x.Quit())
	})
}

func TestCtrlXNamesAllRunsAndStopsThemAfterAQuestion(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, _, _ := twoAtWork(t, p)
		x.Rest()
		x.Type(harness.KeyCtrlX)
		x.See("Stop 2 runs")
		x.Type(harness.KeyEsc)
		x.SeeNot("Stop 2 runs")
		s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
		x.Type(harness.KeyCtrlX)
		x.See("Stop 2 runs")
		x.Type("x")
		for _, words := range []string{"look at one", "look at two"} {
			s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild(words)))
		}
		x.See("first look · stopped by you", "second look · stopped by you")
		require.Len(t, s.Server.All(modeltest.FromParent), 2, "the user stopped the session: it does not wake by itself")
		x.Prompt("what happened?")
		h := s.Server.Await(t, modeltest.ParentAsked("what happened?"))
		require.Len(t, h.Notices(), 2)
		for _, notice := range h.Notices() {
			require.Contains(t, notice, "<status>canceled_by_user</status>")
		}
		x.See("I have heard of an end.")
		require.Equal(t, 0, x.Quit())
	})
}
