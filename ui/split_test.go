package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/pane"
	"pawl/ui/replay"
	"pawl/ui/terminal"
)

// narrowestSides is the narrowest screen that two sessions share.
var narrowestSides = [2]int{pane.Least, 24}

// sideBySide is a conversation and the session of one of its subagents, both at work, with text
// in both composers.
func sideBySide(s *screen) {
	s.worked()
	s.typed("and the 漢字 too")
	s.delegate("audit refunds", false)
	s.delegate("compare the ledgers of all years", true)
	s.log(root, "r1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "do not touch the ledger"}})
	s.log("audit refunds", "run audit refunds", lifecycle.Thinking{Text: "Where are they made?"}, lifecycle.Text{Text: aDocument},
		lifecycle.ToolStarted{Call: "t", Tool: "grep", Label: "Refund 漢字 \x1b[2J"},
		lifecycle.ToolEnded{Call: "t", Tool: "grep", Status: lifecycle.ToolOK, View: agent.EncodeView(agent.ListingView{Items: []string{"a.go:1"}, Total: 1})},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "n", From: lifecycle.FromUser, Text: "look at the tests as well"}})
	s.keys("tab")
	s.typed("which of them are tested?")
}

// wide is a screen for two sessions, with two subagents at work in the background.
func wide(t testing.TB, change ...func(*Options, *terminal.Features)) *screen {
	s := newScreen(t, 160, 40, change...)
	s.ask("Fan out.")
	s.delegate("audit", true)
	s.delegate("count", true)
	return s
}

// sides are the sessions on the screen, from the left.
func (s *screen) sides() []lifecycle.SessionID {
	var on []lifecycle.SessionID
	for _, p := range s.panes() {
		on = append(on, p.Session)
	}
	return on
}

// shown requires what stands on the screen, and which of it has the focus.
func (s *screen) shown(focus lifecycle.SessionID, on ...lifecycle.SessionID) {
	s.t.Helper()
	require.Equal(s.t, on, s.sides())
	require.Equal(s.t, focus, s.open)
}

func TestASubagentOpensBesideTheConversationWhereBothHaveRoom(t *testing.T) {
	s := wide(t)
	s.keys("down", "enter")
	s.shown("audit", root, "audit")
	require.Regexp(t, `(?m)^› Fan out\. +│ ← audit`, s.text())
	require.Regexp(t, `(?m)^· Ask Pawl anything +│ › Message "audit"`, s.text(), "one of the composers has the focus")

	s = wide(t)
	s.width = pane.Least - 1
	s.keys("tab")
	s.shown("audit", "audit")
	require.NotContains(t, s.text(), "Fan out.")

	s = wide(t, func(o *Options, _ *terminal.Features) { o.Split = "off" })
	s.keys("tab")
	s.shown("audit", "audit")
	s.keys("tab")
	s.shown("count", "count")
	s.keys("left")
	s.shown(root, root)
}

func TestTabChangesSidesAndAltArrowsWalkTheSubagentBeside(t *testing.T) {
	s := wide(t)
	s.keys("tab")
	s.shown("audit", root, "audit")
	s.keys("tab")
	s.shown(root, root, "audit")
	s.keys("alt+down")
	s.shown(root, root, "count")
	s.keys("alt+up")
	s.shown(root, root, "audit")
	s.keys("tab", "alt+down")
	s.shown("count", root, "count")
	s.keys("tab", "down", "tab")
	s.shown("count", root, "count")
	require.Equal(t, atView, s.at(), "from a line too")
}

func TestEachSideHasItsComposerWhichSendsToItsSession(t *testing.T) {
	s := wide(t)
	s.typed("for the parent")
	s.keys("tab")
	s.typed("for the audit")
	require.Regexp(t, `(?m)^· for the parent +│ › for the audit`, s.text())
	s.keys("enter", "tab", "enter")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Send{Session: "audit", Text: "for the audit"}, lifecycle.Send{Session: root, Text: "for the parent"},
	}, s.route.taken())
	s.log("audit", "run audit", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "for the audit"}})
	require.Regexp(t, `│   queued: for the audit`, s.text(), "the queue stands on its side")
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{
		{Session: root, Run: "r1", Step: 1, Text: "left it grows"}, {Session: "audit", Run: "run audit", Step: 1, Text: "right it grows"},
	}})
	require.Regexp(t, `left it grows +│`, s.text())
	require.Regexp(t, `│   right it grows`, s.text())
}

func TestEscAndCtrlCActOnTheSideWithTheFocus(t *testing.T) {
	s := wide(t)
	s.keys("tab", "esc")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "Esc again stops it")
	s.keys("esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseKey}}, s.route.taken())
	s.keys("tab", "esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey}}, s.route.taken())
	s.keys("tab", "ctrl+c")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseKey}}, s.route.taken())
	s.keys("esc", "tab", "esc")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey}}, s.route.taken(), "an Esc of one side does not arm the other")
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted})
	s.keys("tab", "esc")
	s.shown(root, root)
}

func TestLeftOnAnEmptyComposerClosesTheSideOfTheSubagent(t *testing.T) {
	s := wide(t)
	s.keys("tab")
	s.typed("x")
	s.keys("left")
	s.shown("audit", root, "audit")
	s.keys("ctrl+k", "left")
	s.shown(root, root)
	s.keys("down", "enter")
	s.shown("audit", root, "audit")
}

func TestWhatEndsOnEitherSideWasSeenAndWhatCameWhileItWasClosedIsMarked(t *testing.T) {
	kept := map[lifecycle.SessionID]Seen{}
	s := wide(t, func(o *Options, _ *terminal.Features) {
		o.SaveSeen = func(session lifecycle.SessionID, seen Seen) { kept[session] = seen }
	})
	s.log("audit", "run audit", lifecycle.Text{Text: "First."})
	s.keys("tab", "tab", "alt+down", "alt+up")
	require.NotZero(t, kept["audit"].Upto, "it was left for the other one")
	s.log("audit", "run audit", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "Second."})
	s.keys("tab", "tab")
	require.NotContains(t, s.text(), sinceLooked, "it was there all the time")
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Second."})
	require.Equal(t, lifecycle.RunID("run audit"), kept["audit"].End, "the other side has the focus")
	s.keys("alt+down")
	s.log("audit", "run again", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, ParentRun: "r1", Trigger: lifecycle.TriggerUser, Prompt: "Once more.", From: lifecycle.FromUser}}, lifecycle.Started{})
	s.keys("alt+up")
	require.Regexp(t, `│ .*`+string(sinceLooked), s.text())
}

func TestAPersonWhoWroteToASubagentLeavesItWhenItsSideIsClosed(t *testing.T) {
	s := wide(t)
	s.keys("tab")
	s.typed("look again")
	s.keys("enter", "tab", "tab", "left")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: "audit", Text: "look again"}, lifecycle.Leave{Session: "audit"}}, s.route.taken(), "not when the focus goes")
}

func TestTheWheelAndAClickActOnTheSideUnderTheMouse(t *testing.T) {
	s := wide(t)
	for i := range 60 {
		s.log(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("left %d", i)})
		s.log("audit", "run audit", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("right %d", i)})
	}
	s.tool("t", "grep", "Refund", lifecycle.ToolOK, agent.ListingView{Items: []string{"a.go:1"}, Total: 1})
	s.keys("tab")
	s.View()
	s.send(tea.MouseWheelMsg{X: 10, Y: 5, Button: tea.MouseWheelUp})
	require.True(t, s.viewOf(root).Held)
	require.False(t, s.viewOf("audit").Held)
	require.Equal(t, lifecycle.SessionID("audit"), s.open, "the wheel leaves the focus where it is")
	s.send(tea.MouseWheelMsg{X: 100, Y: 5, Button: tea.MouseWheelUp})
	require.True(t, s.viewOf("audit").Held)
	s.send(tea.MouseWheelMsg{X: 10, Y: 5, Button: tea.MouseWheelDown})
	require.False(t, s.viewOf(root).Held)

	s.clickOn("grep Refund")
	s.shown(root, root, "audit")
	require.Contains(t, s.text(), "a.go:1")
	s.typed("for the parent")
	s.clickOn(`Message "audit"`)
	s.shown("audit", root, "audit")
	s.typed("zyx")
	s.clickOn("yx")
	require.Equal(t, 1, s.line().At)
	s.clickOn("the parent")
	s.shown(root, root, "audit")
	require.Equal(t, len("for "), s.line().At)
	s.View()
	s.send(tea.MouseClickMsg{X: 5, Y: s.picture.hits.below + s.picture.hits.cardsAt + 1, Button: tea.MouseLeft})
	s.shown("count", root, "count")
}

func TestANarrowScreenShowsTheSideWithTheFocusAndAWideOneBothAgain(t *testing.T) {
	s := wide(t)
	s.keys("tab", "tab")
	resize := func(width int) { s.send(tea.WindowSizeMsg{Width: width, Height: 40}) }
	resize(120)
	s.shown(root, root)
	resize(160)
	s.shown(root, root, "audit")
	s.keys("tab")
	resize(120)
	s.shown("audit", "audit")
	s.keys("tab")
	s.shown("count", "count")
	resize(150)
	s.shown("count", root, "count")
	resize(149)
	s.keys("left")
	resize(150)
	s.shown(root, root)
}

func TestSplitChoosesTheSubagentThatOneMeans(t *testing.T) {
	s := newScreen(t, 160, 40)
	s.sent("/split")
	require.Contains(t, s.text(), "no subagents yet")
	s = wide(t)
	s.shell("serve", "npm run dev")
	s.sent("/split")
	s.shown(root, root, "count")
	require.Contains(t, s.text(), "beside the conversation: count · tab changes sides, /split ends it")
	s.sent("/split")
	s.shown(root, root)
	s.keys("tab")
	s.shown("audit", "audit")
	s.sent("/split")
	s.shown("audit", root, "audit")
	s.sent("/split")
	s.shown("audit", "audit")
	s.keys("left")
	s.end("count", "run count", lifecycle.Ended{State: lifecycle.StateCompleted})
	s.sent("/split")
	s.shown(root, root, "audit")
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted})
	s.sent("/split")
	s.sent("/split")
	s.shown(root, root, "count")

	s = wide(t)
	s.keys("down", "ctrl+p")
	s.typed("beside")
	s.keys("enter")
	s.shown(root, root, "audit")
	require.Equal(t, atComposer, s.at(), "the line had the focus")

	s = wide(t)
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.end("count", "run count", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.keys("down", "ctrl+p")
	require.Equal(t, dock.Ends, s.card)
	s.typed("beside")
	s.keys("enter")
	s.shown(root, root, "count")

	s = wide(t)
	s.send(tea.WindowSizeMsg{Width: 149, Height: 40})
	s.sent("/split")
	require.Contains(t, s.text(), "side by side needs 150 columns; this screen has 149")
	s.shown(root, root)
}

func TestASearchAndTheReaderBelongToTheSideWithTheFocus(t *testing.T) {
	s := wide(t)
	s.log(root, "r1", lifecycle.Text{Text: "A needle on the left."})
	s.log("audit", "run audit", lifecycle.Text{Text: "A needle on the right."})
	s.keys("tab", "ctrl+f")
	s.typed("needle")
	require.Regexp(t, `(?m)^· Ask Pawl anything +│ / needle +1/1$`, s.text())
	require.Equal(t, 1, strings.Count(s.View().Content, "\x1b[7m"), "the other side has no mark")
	s.keys("esc", "ctrl+up")
	require.Equal(t, atBlock, s.at())
	require.Regexp(t, `│  ┃A needle on the right`, s.text())
	s.clickOn("A needle on the left.")
	s.shown(root, root, "audit")
	require.Nil(t, s.reader)
	s.keys("ctrl+up", "tab")
	s.shown("audit", root, "audit")
	require.Equal(t, atView, s.at(), "tab leads out of the blocks")
}

func TestAQuestionStandsInFrontOfBothSides(t *testing.T) {
	s := wide(t)
	s.keys("tab")
	s.wonders("audit", lifecycle.Question{ID: "q", Tool: "shell", Subject: "rm -rf build"})
	require.Regexp(t, `(?m)^│ ▲ audit wants to use shell`, s.text())
	require.Regexp(t, `(?m)^› Fan out\. +│ ← audit`, s.text(), "both stand behind it")
	require.NotContains(t, s.text(), "Ask Pawl anything")
	s.now = s.now.Add(settled)
	s.keys("y")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q", Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "person"}}}, s.route.taken())
	s.keys("ctrl+p")
	require.NotContains(t, s.text(), `Message "audit"`)
}

func TestARecordingIsReadSideBySide(t *testing.T) {
	s := newScreen(t, 160, 40)
	s.onTape(nil)
	s.keys("down", "enter")
	s.shown("audit refunds", root, "audit refunds")
	require.Regexp(t, `(?m)^  read only`, s.text())
	require.Equal(t, 1, strings.Count(s.text(), "read only"), "its line stands once")
	s.keys("tab")
	s.shown(root, root, "audit refunds")
	s.keys("tab", "left")
	s.shown(root, root)
}

func TestASideStaysOpenWhileAReplayGoesBackToWhereItsSessionIs(t *testing.T) {
	log := aRecording(t)
	s, _ := log.playing(t, 160, 40)
	state := replay.State{Seq: lifecycle.Seq(len(log)), Upto: lifecycle.Seq(len(log)), First: log[0].Time, Last: log.last(), Speed: 1}
	s.send(replay.Frame{Records: log, State: state})
	s.keys("tab", "tab")
	s.shown(root, root, "audit refunds")
	s.send(replay.Frame{Again: true, Records: log[:len(log)-1], State: state})
	s.shown(root, root, "audit refunds")
	require.Contains(t, s.text(), "Looking at it.")
	s.send(replay.Frame{Again: true, Records: log[:2], State: state})
	s.shown(root, root)
}

// Whatever comes, the bar stands in one column and nothing leaves its side.
func TestNothingCrossesTheBarBetweenTwoSides(t *testing.T) {
	for _, width := range []int{150, 151, 200} {
		for _, ascii := range []bool{false, true} {
			s := newScreen(t, width, 30, func(_ *Options, term *terminal.Features) { term.ASCII, term.Colour = ascii, true })
			s.worked()
			s.delegate("\x1b[2J漢字"+strings.Repeat("漢", 300), true)
			session := s.runs.Sessions[0]
			s.keys("tab")
			for _, hostile := range []string{"\x1b[2J\x1b[31mred", strings.Repeat("漢", 500), "a\x1b]8;;https://evil\x1b\\b\x1b]8;;\x1b\\", "```\n" + strings.Repeat("字 ", 200) + "\n```", "👨‍👩‍👧 שלום " + strings.Repeat("x", 400)} {
				s.log(session, s.runs.Latest(session).ID, lifecycle.Text{Text: hostile})
				s.log(root, "r1", lifecycle.Text{Text: hostile})
				s.send(tea.PasteMsg{Content: hostile})
				s.keys("tab")
				narrow(t, s.View().Content, width, 30)
				rows := strings.Split(s.text(), "\n")
				bar := s.panes()[1].X - 2
				for y, row := range rows[:s.picture.hits.below] {
					require.Equal(t, bar, barAt(row, bar), "row %d of %q", y, row)
				}
			}
		}
	}
}

// barAt is the column of a row's bar, at or behind a column; -1 where there is none.
func barAt(row string, from int) int {
	cells := 0
	for _, r := range row {
		if cells >= from && (r == '│' || r == '|') {
			return cells
		}
		cells += draw.Cells(string(r))
	}
	return -1
}
