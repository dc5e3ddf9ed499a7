package ui

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// The rows of the design's table of Esc and Ctrl+C, one after another.

const byKey = lifecycle.CauseKey

func TestEscWithForegroundStopsThoseOnly(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", false)
	s.keys("esc")
	require.Equal(t, []lifecycle.Command{lifecycle.StopForeground{Session: root, Cause: byKey}}, s.route.taken())
}

func TestInterruptWithForegroundStopsTheParent(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", false)
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: byKey}}, s.route.taken())
}

func TestEscAndInterruptStopTheParentWhileItWorks(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		s := newScreen(t, 80, 24)
		s.ask("go")
		s.delegate("audit", true) // in the background: not touched
		s.route.reply = lifecycle.Reply{Runs: []lifecycle.Run{s.runs.Latest(root)}}
		s.keys(key)
		require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: byKey}}, s.route.taken())
		require.Contains(t, s.text(), "stopped")
	}
}

// idle is a screen whose parent has ended while a background run goes on.
func idle(t *testing.T) *screen {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	return s
}

func TestEscWhenIdleClearsTheLineAndNamesTheWay(t *testing.T) {
	s := idle(t)
	s.typed("half a thought")
	s.keys("esc")
	require.Empty(t, s.line().Text)
	require.Contains(t, s.text(), "↓ selects")
	s.keys("ctrl+y")
	require.Equal(t, "half a thought", s.line().Text)
	require.Empty(t, s.route.taken())
	require.False(t, s.quit)
}

func TestInterruptTwiceWhenIdleAsksBeforeItQuits(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+c")
	require.Contains(t, s.text(), "ctrl+c again")
	require.Nil(t, s.dialog)
	s.pass(armedFor)
	require.NotContains(t, s.text(), "ctrl+c again", "the hint goes when the press no longer counts")
	s.keys("ctrl+c", "ctrl+c")
	require.NotNil(t, s.dialog)
	require.Contains(t, s.text(), "audit, running")
	require.False(t, s.quit)
}

func TestQuittingStopsThem(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+c", "ctrl+c", "x")
	require.True(t, s.quit)
	require.Equal(t, Ending{Stop: true, Cause: lifecycle.CauseQuit}, s.ending)
}

func TestQuittingWaitsForThem(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+c", "ctrl+c", "w")
	require.False(t, s.quit)
	require.Contains(t, s.text(), "quits when the last run ends")
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	require.True(t, s.quit)
	require.Equal(t, Ending{Wait: true, Cause: lifecycle.CauseQuit}, s.ending)
}

func TestQuittingStays(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c", "enter", "n", "s", "q"} {
		s := idle(t)
		s.keys("ctrl+c", "ctrl+c", key)
		require.Nil(t, s.dialog)
		require.False(t, s.quit)
		require.Empty(t, s.route.taken())
	}
}

func TestEscOnALiveCardArmsForTwoSeconds(t *testing.T) {
	s := idle(t)
	s.keys("down", "esc")
	require.Contains(t, s.text(), "Esc again stops it")
	require.Empty(t, s.route.taken())
	s.pass(armedFor)
	s.keys("esc")
	require.Empty(t, s.route.taken(), "too late: it arms anew")
	s.keys("b", "backspace", "down", "esc")
	require.Empty(t, s.route.taken(), "another key came between")
	s.pass(time.Second)
	s.keys("esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: byKey}}, s.route.taken())
}

func TestXOnALiveCardTakesTwoPressesAndEscLaysItDown(t *testing.T) {
	s := idle(t)
	s.keys("down", "x")
	require.Contains(t, s.text(), "x again stops it")
	s.keys("esc")
	require.NotContains(t, s.text(), "again stops it")
	s.keys("x")
	s.pass(armedFor)
	s.keys("x")
	require.Empty(t, s.route.taken(), "too late: it arms anew")
	s.now = s.now.Add(armedFor - heldFor/2) // the press counts when it came, not when it acts
	s.send(key("x"))
	s.now = s.now.Add(heldFor)
	s.send(terminal.Tick(s.now))
	s.send(heldDue{s.holds})
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: byKey}}, s.route.taken())
}

func TestEscInALiveViewArms(t *testing.T) {
	s := idle(t)
	s.keys("tab", "esc")
	require.Contains(t, s.text(), "Esc again stops it")
	s.keys("esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: byKey}}, s.route.taken())
}

func TestTheArmIsLaidDownByLeaving(t *testing.T) {
	s := idle(t)
	s.keys("tab", "esc", "left")
	require.Equal(t, root, s.open)
	s.keys("tab", "esc")
	require.Empty(t, s.route.taken())
}

func TestInterruptStopsACardOrViewAtOnce(t *testing.T) {
	for _, way := range []string{"down", "tab"} {
		s := idle(t)
		s.keys(way, "ctrl+c")
		require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: byKey}}, s.route.taken())
	}
}

func TestEndedCardsAndViewsAreLeft(t *testing.T) {
	for _, way := range []string{"down", "tab"} {
		for _, key := range []string{"esc", "ctrl+c"} {
			s := idle(t)
			s.keys(way)
			s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
			s.keys(key)
			require.Equal(t, root, s.open)
			require.Empty(t, s.card)
			require.Empty(t, s.route.taken())
		}
	}
}

// asked is a screen with one open question of a foreground subagent.
func asked(t *testing.T) *screen {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", false)
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{
		ID: "q1", Session: "audit", Run: "run audit", Call: "c", Tool: "shell", Subject: "rm -rf build", Who: "audit",
	}})
	s.read()
	return s
}

func TestEscDeniesAQuestion(t *testing.T) {
	s := asked(t)
	s.keys("esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}}, s.route.taken())
}

func TestInterruptDeniesAQuestionAndStopsItsRun(t *testing.T) {
	s := asked(t)
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}},
		lifecycle.Stop{Session: "audit", Cause: byKey},
	}, s.route.taken())
}

func TestEscAndInterruptCloseTheHelp(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		s := idle(t)
		s.keys("?")
		require.Contains(t, s.text(), "Writing")
		s.keys(key)
		require.Nil(t, s.help)
		require.Empty(t, s.route.taken())
		require.False(t, s.quit)
	}
}

func TestNothingRunning(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("hello")
	s.keys("esc")
	require.Empty(t, s.line().Text)
	s.keys("ctrl+c")
	require.False(t, s.quit)
	require.Contains(t, s.text(), "ctrl+c again quits")
	s.pass(armedFor)
	s.keys("ctrl+c")
	require.False(t, s.quit, "two seconds have passed")
	s.keys("ctrl+c")
	require.True(t, s.quit)
}

func TestTheSecondPressQuitsAlsoWhenTheParentWasWokenUpBetweenThem(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+c")
	require.Contains(t, s.text(), "ctrl+c again quits")
	s.log(root, "r2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerNotification}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.keys("ctrl+c")
	require.Empty(t, s.route.taken(), "nothing is stopped")
	require.Contains(t, s.text(), "stop them and quit")
}

func TestStopAllNamesThemAndAsks(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+x")
	require.Contains(t, s.text(), "audit, running")
	require.Empty(t, s.route.taken())
	s.keys("esc")
	require.Empty(t, s.route.taken())
	s.keys("ctrl+x", "enter")
	require.Empty(t, s.route.taken(), "the mark is on what stops nothing")
	s.keys("ctrl+x", "x")
	require.Equal(t, []lifecycle.Command{lifecycle.StopAll{Root: root, Cause: byKey}}, s.route.taken())
}

func TestStopAllIsAskedForFromEverywhereAndLeadsBack(t *testing.T) {
	for name, lead := range fromEverywhere {
		s := idle(t)
		lead(s)
		s.route.taken()
		before := s.at()
		if before == atDialog {
			continue // that is to be answered first
		}
		s.keys("ctrl+x")
		require.Regexp(t, `Stop [12] runs?\?`, s.text(), name)
		s.keys("esc")
		require.Equal(t, before, s.at(), name)
		require.Empty(t, s.route.taken(), name)
		s.keys("ctrl+x", "x")
		require.Equal(t, []lifecycle.Command{lifecycle.StopAll{Root: root, Cause: byKey}}, s.route.taken(), name)
	}
}

func TestTheScreenIsSuspendedFromEverywhere(t *testing.T) {
	for name, lead := range fromEverywhere {
		s := idle(t)
		lead(s)
		require.NotNil(t, s.find("ctrl+z", s.at()), name)
	}
}

func TestTheScreenIsRedrawnFromEverywhere(t *testing.T) {
	for name, lead := range fromEverywhere {
		s := idle(t)
		lead(s)
		before := s.at()
		s.keys("ctrl+l")
		require.Equal(t, before, s.at(), name)
		b := s.find("ctrl+l", before)
		require.NotNil(t, b, name)
		require.Equal(t, tea.ClearScreen(), b.do(s.model)(), name)
	}
}

func TestSubagentsAreSentToTheBackgroundWhileOneOfThemAsks(t *testing.T) {
	s := asked(t)
	s.keys("ctrl+b")
	require.Equal(t, []lifecycle.Command{lifecycle.DetachForeground{Session: root}}, s.route.taken())
}

func TestNotSentGoesBackIntoTheLine(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.route.err = errors.New("the disk is full")
	s.typed("hello")
	s.keys("enter")
	require.Equal(t, "hello", s.line().Text)
	require.Contains(t, s.text(), "not sent: the disk is full")
}

func TestStopTypedStopsTheSessionThatIsShown(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.typed("/stop")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseCommand}}, s.route.taken())
	require.Empty(t, s.line().Text)
	s.keys("tab")
	s.typed("/stop")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseCommand}}, s.route.taken())
}

func TestStopTypedWhereNothingRunsIsNoMessage(t *testing.T) {
	s := idle(t)
	s.typed("/stop")
	s.keys("enter")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "nothing is running here")
}

func TestAMessageThatIsBeingReadIsStoppedByTheKeysOfARun(t *testing.T) {
	for _, name := range []string{"esc", "ctrl+c", "ctrl+x"} {
		s := newScreen(t, 80, 24)
		s.typed("look at it")
		_, sending := s.Update(key("enter")) // what it names takes long to read
		s.keys(name)
		require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey}}, s.route.taken(), name)
		s.route.err = errors.New("it was stopped before it began")
		s.carryOut(sending)
		require.Equal(t, "look at it", s.line().Text, name)
		require.Contains(t, s.text(), "not sent: it was stopped before it began")
	}
}
