package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// digAll is a parent that launches subagents in the background, each of which
// hangs until its channel is closed.
func digAll(names []string, release map[string]chan struct{}) func(modeltest.Request) modeltest.Reply {
	var calls []modeltest.Call
	for _, name := range names {
		release[name] = make(chan struct{})
		calls = append(calls, modeltest.Launch("dig "+name, "go and dig "+name))
	}
	return func(h modeltest.Request) modeltest.Reply {
		for _, name := range names {
			if h.Child("go and dig " + name) {
				return modeltest.Say("Earth ").Until(release[name], "and stone.")
			}
		}
		switch {
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			return modeltest.Say("They dig.")
		}
		return modeltest.Do(calls...)
	}
}

func TestTheQueueKeepsItsOrderAndAStopInItIsAnEndLikeAny(t *testing.T) {
	t.Parallel()
	release := map[string]chan struct{}{}
	s := harness.NewStage(t, modeltest.Anthropic(), digAll([]string{"one", "two", "three", "four"}, release)).With("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	x := harness.StartSized(t, 120, 80, s.Dir, s.Env, s.Flags()...) // room for all that is said
	x.Ready()
	x.Prompt("send them")
	x.See("They dig.", "waiting for a slot, 1st in line", "waiting for a slot, 2nd in line", "waiting for a slot, 3rd in line")
	got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
	require.Equal(t, "running", got[0].Status)
	for i, place := range []int{1, 2, 3} {
		require.Equal(t, "queued", got[i+1].Status)
		require.Equal(t, place, got[i+1].Place)
		require.Contains(t, got[i+1].Message, "waits for a free slot. Nothing of it is running yet.")
		require.Contains(t, got[i+1].Message, "You will be told")
	}
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyDown) // the second line: it has not begun
	x.StopCard()
	s.Server.Await(t, parentHeardOf("dig two"))
	notice := noticeOf(s.Server.Await(t, parentHeardOf("dig two")), "dig two")
	require.True(t, harness.ContainsAll(notice, "<status>canceled_by_user</status>", "the user pressed a key to stop it", "(there was no text)",
		"it had not begun, and changed nothing", "<remaining>3</remaining>"), notice)
	x.See("2nd in line")
	require.Empty(t, s.Server.All(modeltest.FromChild("go and dig t")), "no slot was free")
	close(release["one"])
	s.Server.Await(t, modeltest.FromChild("go and dig three"))
	require.Empty(t, s.Server.All(modeltest.FromChild("go and dig four")), "one slot, one start")
	close(release["three"])
	s.Server.Await(t, modeltest.FromChild("go and dig four"))
	close(release["four"])
	s.Server.Await(t, parentHeardOf("dig two", "dig one", "dig three", "dig four"))
	x.Type(harness.KeyEsc)
	x.SeeNot("enter open") // else the next key might come within the same breath, and with Escape be another
	heardAll(x, s)
	require.Equal(t, 0, x.Quit())
	require.Empty(t, s.Server.All(modeltest.FromChild("go and dig two")))
	requireEachNoticeOnce(t, s.Server, "dig one", "dig two", "dig three", "dig four")
	list, _, _ := harness.Run(t, s.Dir, s.Env, "sessions")
	runs := exportedPage(t, s, strings.Fields(list)[0]).delegated(t)
	require.Equal(t, "canceled_by_user", runs["dig two"].State)
	require.Zero(t, runs["dig two"].StartedAt)
	require.False(t, runs["dig four"].StartedAt.Before(runs["dig three"].EndedAt), "it started when the slot was free")
	require.Equal(t, runs["dig three"].EndedAt, runs["dig four"].StartedAt, "in the same moment, and the same transaction")
}

// The twenty-sixth is refused: who holds the slots, for how long, and that to try
// again is no use.
func TestTheTwentySixthIsToldWhoHoldsTheSlots(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 26 {
		names = append(names, fmt.Sprintf("place %02d", i))
	}
	release := map[string]chan struct{}{}
	s := harness.NewStage(t, modeltest.Anthropic(), digAll(names, release))
	x := s.Open(t)
	x.Prompt("send them")
	x.See("They dig.", "5 work", "20 wait for a slot", "5 of 5 slots")
	results := s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")
	require.Len(t, results, 26)
	refused := results[25]
	require.Contains(t, refused, "no slot is free: 5 subagents run in the background and 20 wait")
	require.Contains(t, refused, "Do not retry")
	for _, holder := range names[:5] {
		require.Regexp(t, `"dig `+holder+`" \(agent [0-9a-f-]{36}, for \d+s\)`, refused)
	}
	require.NotContains(t, refused, names[5])
	x.Rest()
	x.Type(harness.KeyCtrlX)
	x.See("Stop 25 runs")
	x.Type("x")
	x.See("25 stopped subagents are reported with your next message")
	require.Equal(t, 0, x.Quit())
}

// A run that the limit keeps from the background stays where it is, and the screen
// says why.
func TestCtrlBBeyondTheLimitIsRefusedOnTheScreen(t *testing.T) {
	t.Parallel()
	hole, look := make(chan struct{}), make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("Earth ").Until(hole, "and stone.")
		case h.Child("look"):
			return modeltest.Say("The sky ").Until(look, "is blue.")
		case h.ToldOf("look up"):
			return modeltest.Say("Blue, it says.")
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig down"), modeltest.Delegate("a look", "look up"))
	}).With("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	x := s.Open(t)
	x.Prompt("send both")
	x.See("Earth", "The sky", "ctrl+b background")
	x.Type(harness.KeyCtrlB)
	x.See("no slot is free: 1 subagent runs in the background already, and 0 wait")
	s.Server.RequireOpen(t, modeltest.FromChild("look"))
	require.Len(t, s.Server.All(modeltest.FromParent), 1, "its call goes on waiting")
	close(look)
	x.See("Blue, it says.")
	got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
	require.Equal(t, "completed", got[1].Status)
	close(hole)
	x.See("I have heard of an end.")
	require.Equal(t, 0, x.Quit())
}
