package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// unreadCards is an end of every sort that nobody has looked at yet, each still to be
// told to the parent.
func unreadCards(s *screen) {
	s.ask("Fan out.")
	for _, end := range []lifecycle.Ended{
		{State: lifecycle.StateCompleted, Result: "Three places make refunds."},
		{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries"}},
		{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey},
		{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd},
	} {
		session := lifecycle.SessionID("ended " + string(end.State))
		s.delegate(string(session), true)
		s.log(session, lifecycle.RunID("run "+session), end, lifecycle.NotificationQueued{})
	}
	s.log("ended completed", "run ended completed", lifecycle.NotificationDelivered{InRun: "r1", Step: 1})
}

// overdueCard is a run that has lasted too long for its call, beside one that has not.
func overdueCard(s *screen) {
	s.ask("Audit.")
	s.delegate("count callers", true)
	s.delegate("audit refunds", false)
	s.pass(10 * time.Minute)
	s.log("audit refunds", "run audit refunds", lifecycle.ToolStarted{Call: "t", Tool: "shell", Label: "npm test"}, lifecycle.Overdue{After: 10 * time.Minute})
	for _, name := range []string{"count callers", "audit refunds"} {
		s.log(root, "r1", lifecycle.ToolEnded{Call: lifecycle.CallID("call " + name), Tool: "agent", Status: lifecycle.ToolOK})
	}
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted})
	s.pass(250 * time.Second)
}

// sinceLookedAway is a view that was opened, left, and opened again after more had
// come.
func sinceLookedAway(s *screen) {
	s.ask("Audit.")
	s.delegate("audit refunds", true)
	s.log("audit refunds", "run audit refunds", lifecycle.Text{Text: "I begin with the ledger."})
	s.keys("tab", "left")
	s.log("audit refunds", "run audit refunds", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "The ledger is whole."},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "The ledger is whole."})
	s.keys("tab")
}

func TestAnEndIsUnreadUntilItsSessionIsOpened(t *testing.T) {
	kept := map[lifecycle.SessionID]Seen{}
	s := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) {
		o.SaveSeen = func(session lifecycle.SessionID, seen Seen) { kept[session] = seen }
	})
	s.ask("go")
	s.delegate("audit", true)
	s.delegate("count", true)
	require.NotContains(t, s.text(), "not opened")
	s.log("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.NotificationQueued{})
	require.Contains(t, s.text(), "not opened · not delivered")
	s.log("audit", "run audit", lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification})
	require.Contains(t, s.text(), "not opened", "what the parent has read is not what its user has")
	require.NotContains(t, s.text(), "not delivered")
	s.keys("tab")
	require.Equal(t, lifecycle.RunID("run audit"), kept["audit"].End, "kept at once: Pawl may end now")
	s.keys("left")
	require.NotContains(t, s.text(), "not opened")
	s.keys("tab", "tab")
	s.end("count", "run count", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "42"})
	s.keys("left")
	require.NotContains(t, s.text(), "not opened", "its user watched it end")

	again := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) {
		o.Seen = kept
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: s.seq, Runs: []lifecycle.Run{s.runs.Latest(root), s.runs.Latest("audit"), s.runs.Latest("count")}}
	})
	require.False(t, again.unread(again.runs.Latest("audit")))
	require.False(t, again.unread(again.runs.Latest("count")))
	delete(kept, "audit")
	again.seen = kept
	require.True(t, again.unread(again.runs.Latest("audit")))
}

func TestWhatCameSinceAViewWasLeftIsMarkedUntilItIsLeftAgain(t *testing.T) {
	s := newScreen(t, 80, 40)
	sinceLookedAway(s)
	screen := s.text()
	begin, rule, more := strings.Index(screen, "I begin"), strings.Index(screen, string(sinceLooked)), strings.Index(screen, "is whole")
	require.True(t, begin < rule && rule < more, screen)
	s.log("audit refunds", "run two", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Description: "audit refunds", Trigger: lifecycle.TriggerMessage, Prompt: "And the rest?", From: lifecycle.FromUser}})
	require.Equal(t, 1, strings.Count(s.text(), string(sinceLooked)), "one line, while it stays open")
	s.keys("left")
	s.keys("tab")
	require.NotContains(t, s.text(), sinceLooked)
}

func TestALiveAnswerIsNotNewTwice(t *testing.T) {
	s := newScreen(t, 80, 40)
	s.ask("go")
	s.delegate("audit", true)
	s.keys("tab")
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit", Run: "run audit", Step: 1, Text: "half a"}}})
	s.keys("left")
	s.log("audit", "run audit", lifecycle.Text{Text: "half a word"})
	s.keys("tab")
	require.Contains(t, s.text(), "half a word")
	require.NotContains(t, s.text(), sinceLooked, "it stood there before it was recorded")
}

func TestACardThatLeavesMovesNothing(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", lifecycle.Text{Text: strings.Repeat("A line.\n\n", 30)})
	s.delegate("audit", false)
	s.delegate("count", false)
	s.log("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.Consumed{By: lifecycle.ByToolResult})
	above := func() string {
		text, _, _ := strings.Cut(s.text(), "⠋ general count") // below it time passes
		return text
	}
	before := above()
	s.pass(keep + time.Second)
	require.NotContains(t, s.text(), "  ✓ general audit")
	require.Equal(t, before, above(), "nobody has done anything, and nothing has come")
	room := s.picture.room
	s.log(root, "r1", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "More."})
	_ = s.View()
	require.Equal(t, room+1, s.picture.room, "the room is given back with the next text")
}

func TestAnOverdueCardShowsItsChoicesUntilOneIsMade(t *testing.T) {
	s := newScreen(t, 80, 24)
	overdueCard(s)
	require.Contains(t, s.text(), "↓ then w go on waiting · b to the background · m message · x x stop")
	require.Regexp(t, `shell npm… silent 4m10s +overdue`, s.text(), "why it is quiet is not cut")
	s.keys("down")
	require.Contains(t, s.text(), "    enter open · w wait · b background · m message · x x stop")
	s.keys("b")
	require.Equal(t, []lifecycle.Command{lifecycle.Detach{Session: "audit refunds"}}, s.route.taken())
	s.log("audit refunds", "run audit refunds", lifecycle.Detached{})
	require.NotContains(t, s.text(), "go on waiting")

	s = newScreen(t, 80, 24)
	overdueCard(s)
	s.keys("down", "w")
	require.NotContains(t, s.text(), "go on waiting ·")
	require.NotContains(t, s.text(), "overdue")
}

// The line above what is new is no part of the block below it.
func TestTheLineAboveWhatIsNewBelongsToNoBlock(t *testing.T) {
	s := newScreen(t, 80, 24)
	sinceLookedAway(s)
	require.Contains(t, s.text(), "new since you looked")
	s.keys("ctrl+f")
	s.typed("looked")
	require.Contains(t, s.text(), "not found")
	require.NotContains(t, s.View().Content, "\x1b[4m", "and nothing is underlined")
	s.keys("esc", "ctrl+up")
	for y, line := range strings.Split(s.text(), "\n") {
		if strings.Contains(line, "looked") {
			require.NotContains(t, line, string(s.glyphs.Focus), "the bar of the focus stands at the block alone")
			s.send(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
		}
	}
	require.NotEqual(t, transcript.Folded, s.reader.block.Folding)
}

func TestASearchLeavesNothingBehindInTheSessionThatIsLeft(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.keys("ctrl+f")
	s.typed("go")
	require.NotEmpty(t, s.talk(root).Blocks[0].Sought.Exact)
	s.clickOn("  ⠋ general audit")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	require.Empty(t, s.talk(root).Blocks[0].Sought.Exact)
}
