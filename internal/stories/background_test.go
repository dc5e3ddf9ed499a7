package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// twoLooks is the script of a parent that sends two subagents to the background
// and says so.
func twoLooks(one, two <-chan struct{}) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at one"):
			return modeltest.Say("One has ").Until(one, "a door.")
		case h.Child("look at two"):
			return modeltest.Say("Two has ").Until(two, "a window.")
		case h.Asked("<task-notification>"):
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("They are on their way.")
		}
		return modeltest.Do(modeltest.Launch("first look", "look at one"), modeltest.Launch("second look", "look at two"))
	}
}

// oneDig is the script of a parent that sends one subagent to the background, and of what that
// does. heard is what the parent says of its end.
func oneDig(dig func(modeltest.Request) modeltest.Reply, heard string) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return dig(h)
		case len(h.Notices()) > 0:
			return modeltest.Say(heard)
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
	}
}

// digging is what a subagent does that says so, and the rest when its channel is closed.
func digging(begins string, release <-chan struct{}, rest ...string) func(modeltest.Request) modeltest.Reply {
	return func(modeltest.Request) modeltest.Reply { return modeltest.Say(begins).Until(release, rest...) }
}

// twoAtWork is a screen with those two at work in the background, each until its channel is closed.
func twoAtWork(t *testing.T, p modeltest.Protocol) (s *harness.Stage, x *harness.Terminal, one, two chan struct{}) {
	t.Helper()
	one, two = make(chan struct{}), make(chan struct{})
	s = harness.NewStage(t, p, twoLooks(one, two))
	x = s.Open(t)
	x.Prompt("send two")
	x.See("They are on their way.", "One has", "Two has")
	return s, x, one, two
}

// parentHeardOf matches the requests in which the parent knows of exactly these
// ends, in this order.
func parentHeardOf(descriptions ...string) func(modeltest.Request) bool {
	return func(h modeltest.Request) bool {
		notices := h.Notices()
		if !h.Parent() || len(notices) != len(descriptions) {
			return false
		}
		for i, description := range descriptions {
			if !harness.ContainsAll(notices[i], description) {
				return false
			}
		}
		return true
	}
}

func TestEachBackgroundEndWakesTheIdleParentOnce(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := harness.NewStage(t, p, twoLooks(one, two))
		x := s.Open(t)
		x.Prompt("send two")
		x.See("They are on their way.", "first look", "One has", "second look", "Two has")
		for _, got := range harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent"))) {
			require.Equal(t, "running", got.Status)
			require.Contains(t, got.Message, "do not poll")
		}
		close(two)
		h := s.Server.Await(t, parentHeardOf("second look"))
		require.True(t, harness.ContainsAll(h.Notices()[0], "<status>completed</status>", "<result>Two has a window.</result>", "<remaining>1</remaining>", "<all-terminal>false</all-terminal>"), h.Notices()[0])
		x.See("second look", "I have heard of an end.")
		close(one)
		h = s.Server.Await(t, parentHeardOf("second look", "first look"))
		require.True(t, harness.ContainsAll(h.Notices()[1], "<status>completed</status>", "<result>One has a door.</result>", "<remaining>0</remaining>", "<all-terminal>true</all-terminal>"), h.Notices()[1])
		x.WaitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
		require.Len(t, s.Server.All(modeltest.FromParent), 4)
		require.Equal(t, 0, x.Quit())
		requireEachNoticeOnce(t, s.Server, "first look", "second look")
	})
}

func TestTwoBackgroundEndsWakeTheParentOnceTogether(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		both, busy := make(chan struct{}), make(chan struct{})
		script := twoLooks(both, both)
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			answer := script(h)
			if h.Parent() && h.Answered("agent") && len(h.Notices()) == 0 {
				answer = answer.Until(busy, " I am done.")
			}
			return answer
		})
		x := s.Open(t)
		x.Prompt("send two")
		x.See("They are on their way.", "One has", "Two has")
		close(both)
		x.See("One has a door.", "Two has a window.")
		database := openDatabase(t, s)
		require.Eventually(t, func() bool {
			return len(column(t, database, `SELECT id FROM runs WHERE parent <> '' AND state = 'completed'`)) == 2
		}, modeltest.Patience, 10*time.Millisecond, "both have ended, the parent has not")
		require.Len(t, s.Server.All(modeltest.FromParent), 2)
		close(busy)
		x.See("I have heard of an end.")
		histories := s.Server.All(modeltest.FromParent)
		require.Len(t, histories, 3, "one wake-up for both")
		require.Len(t, histories[2].Notices(), 2)
		require.Equal(t, 0, x.Quit())
		requireEachNoticeOnce(t, s.Server, "first look", "second look")
	})
}

func TestEscAndCtrlCOnTheComposerLeaveBackgroundRunsAlone(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, one, two := twoAtWork(t, p)

		x.Rest()
		x.Type("half a thought")
		x.See("half a thought")
		x.Type(harness.KeyEsc)
		x.SeeNot("half a thought")
		x.See("↓") // how to reach the runs
		x.Type(harness.KeyCtrlY)
		x.See("half a thought")
		x.Type(harness.KeyEsc)
		x.SeeNot("half a thought")
		x.Type(harness.KeyCtrlC)
		x.See("again")
		s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
		s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
		close(one)
		close(two)
		x.See("I have heard of an end.")
		for _, words := range []string{"first look", "second look"} {
			s.Server.Await(t, func(h modeltest.Request) bool {
				for _, notice := range h.Notices() {
					if harness.ContainsAll(notice, words, "<status>completed</status>") {
						return true
					}
				}
				return false
			})
		}
	})
}

func TestCardStopsItsBackgroundRunWithXTwice(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, one, two := twoAtWork(t, p)
		x.Type(harness.KeyDown)
		x.See("x x stop")
		x.Type("x")
		x.See("x again stops it")
		s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
		s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
		x.Type("x")
		requireOneStopped(t, s, x)
		close(one)
		close(two)
		require.Equal(t, 0, idle(x).Quit())
	})
}

func TestCardStopsItsBackgroundRunWithEscTwice(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, one, two := twoAtWork(t, p)
		x.Type(harness.KeyDown)
		x.Type(harness.KeyEsc)
		x.See("again stops it")
		s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
		s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
		x.Type(harness.KeyEsc)
		requireOneStopped(t, s, x)
		close(one)
		close(two)
		require.Equal(t, 0, idle(x).Quit())
	})
}

// requireOneStopped holds one of the two looks to have been stopped, with its
// partial text told, and the other to go on.
func requireOneStopped(t *testing.T, s *harness.Stage, x *harness.Terminal) {
	t.Helper()
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
	notice := h.Notices()[0]
	require.Contains(t, notice, "<status>canceled_by_user</status>")
	stopped, other, partial := "look at one", "look at two", "<result>One has"
	if harness.ContainsAll(notice, "second look") {
		stopped, other, partial = other, stopped, "<result>Two has"
	}
	require.Contains(t, notice, partial)
	require.Contains(t, notice, "<remaining>1</remaining>")
	s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild(stopped)))
	s.Server.RequireOpen(t, modeltest.FromChild(other))
	x.See("stopped by you")
}

// idle waits until the second of two looks has been told as well, and the focus
// is on the composer again.
func idle(x *harness.Terminal) *harness.Terminal {
	x.T.Helper()
	x.WaitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	x.Type(harness.KeyEsc)
	x.SeeNot("enter open")
	return x
}
