package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// An idle parent is not woken where that is not safe; the screen says why, and
// what is owed goes with the user's next message.

func TestAParentThatHasWokenItselfOftenEnoughWaitsForItsUser(t *testing.T) {
	t.Parallel()
	for setting, row := range map[string]struct {
		first, second string // what the screen says after each end
		woken         int
	}{
		"PAWL_SUBAGENTS_MAX_AUTO_RESUMES=1": {"I have heard of an end.", "1 result is reported with your next message: the main agent has continued on its own 1 time already", 1},
		"PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0": {"1 result is reported with your next message: the main agent never continues on its own", "2 results are reported with your next message: the main agent never continues on its own", 0},
	} {
		one, two := make(chan struct{}), make(chan struct{})
		s := harness.NewStage(t, modeltest.Anthropic(), twoLooks(one, two)).With(setting)
		x := s.Open(t)
		x.Prompt("send two")
		x.See("They are on their way.", "One has", "Two has")
		close(one)
		x.See("One has a door.", row.first)
		close(two)
		x.See(row.second)
		later := harness.Start(t, s.Dir, s.Env, "attach")
		later.See(row.second)
		require.NotContains(t, later.Raw(), "reopened")
		detaches(t, later)
		require.Len(t, s.Server.All(modeltest.FromParent), 2+row.woken)
		x.Prompt("and?")
		h := s.Server.Await(t, modeltest.ParentAsked("and?"))
		require.Len(t, h.Notices(), 2)
		x.SeeNot("with your next message")
		require.Equal(t, 0, x.Quit())
		requireEachNoticeOnce(t, s.Server, "first look", "second look")
	}
}

func TestAnOpenQuestionHoldsTheWakeUpBack(t *testing.T) {
	t.Parallel()
	one := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at one"):
			return modeltest.Say("One has ").Until(one, "a door.")
		case h.Child("make the file"):
			return wantsShell(h)
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("They are on their way.")
		}
		return modeltest.Do(modeltest.Launch("first look", "look at one"), modeltest.Launch("file making", "make the file"))
	}).With("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
	x := s.Open(t)
	x.Prompt("send two")
	x.See("They are on their way.")
	x.Asked()
	close(one)
	x.See("1 result waits until you answer")
	require.Len(t, s.Server.All(modeltest.FromParent), 2)
	x.Answer("y")
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
	require.Contains(t, h.Notices()[0], "first look")
	s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) == 2 })
	heardAll(x, s)
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "first look", "file making")
}

// heardAll waits until the parent has said something to each request that told it
// of an end. Before that, Ctrl+C would stop it.
func heardAll(x *harness.Terminal, s *harness.Stage) {
	x.T.Helper()
	x.WaitFor("every answer", func(screen string) bool {
		told := s.Server.All(func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
		return strings.Count(screen, "I have heard of an end.") == len(told)
	})
}

func TestAReopenedSessionDeliversWhatItOwesWithTheNextMessage(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), twoLooks(one, two)).With("PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0")
	x := s.Open(t)
	x.Prompt("send two")
	x.See("They are on their way.", "One has", "Two has")
	close(one)
	close(two)
	x.See("2 results are reported with your next message: the main agent never continues on its own")
	require.Equal(t, 0, x.Quit())

	s.With("PAWL_SUBAGENTS_MAX_AUTO_RESUMES=10")
	x = s.Open(t, "--continue")
	x.See("reopened", "2 results are reported with your next message")
	x.Rest()
	x.Type(harness.KeyCtrlX)
	x.See("nothing is running")
	require.Len(t, s.Server.All(modeltest.FromParent), 2, "a session that was opened again does nothing by itself")
	x.Prompt("and?")
	x.See("I have heard of an end.")
	require.Len(t, s.Server.Await(t, modeltest.ParentAsked("and?")).Notices(), 2)
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "first look", "second look")
}

// A parent that cannot begin is not woken again and again by what it is owed.
func TestAParentThatCannotBeginIsNotWokenByWhatItIsOwed(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), twoLooks(one, two)).With("PAWL_LIMITS_MAX_TOKENS=2000")
	x := s.Open(t)
	x.Prompt("send two")
	x.See("They are on their way.", "One has", "Two has")
	x.Rest()
	x.Prompt("and?")
	x.See("budget: the session's budget is used up", "limits.max_tokens")
	close(one)
	x.See("1 result is reported with your next message: the last run could not start")
	close(two)
	x.See("2 results are reported with your next message: the last run could not start")
	require.Len(t, s.Server.All(modeltest.FromParent), 2)
	require.Equal(t, 0, x.Quit())
}

func TestEveryScreenSaysThatEverythingWasStopped(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("and?"):
			return modeltest.Say("It is over.")
		case h.Answered("shell"):
			return modeltest.Say("It is at work.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "exec sleep 600", "run_in_background": true}))
	})
	first := s.Open(t, "--permission-mode", "bypass")
	first.Prompt("serve it")
	first.See("It is at work.")
	first.Rest()
	second := harness.Start(t, s.Dir, s.Env, "attach")
	second.See("It is at work.")
	first.Type(harness.KeyCtrlX)
	first.See("Stop 1 run?")
	first.Type("x")
	const held = "1 result is reported with your next message: you stopped everything"
	first.See(held)
	second.See(held)
	first.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, first.Wait())
	first = harness.Start(t, s.Dir, s.Env, "attach")
	first.See(held)
	first.Prompt("and?")
	first.See("It is over.")
	first.Rest()
	first.SeeNot(held)
	second.SeeNot(held)
	second.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, second.Wait())
	require.Equal(t, 0, first.Quit())
}
