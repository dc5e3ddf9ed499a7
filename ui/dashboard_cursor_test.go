package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// marked is what the timeline says below its lanes.
func (s *screen) marked() string {
	lines := strings.Split(s.text(), "\n")
	for i, line := range lines {
		if strings.Contains(line, string(s.glyphs.Bar)+"0s") {
			return strings.Trim(strings.TrimSpace(lines[i+1])+" | "+strings.TrimSpace(lines[i+2]), " |")
		}
	}
	return ""
}

// cursorColumn is where the cursor is drawn on its lane, -1 where it is not.
func (s *screen) cursorColumn() int {
	look, _, _ := strings.Cut(string(s.theme.Cursor.Draw("x")), "x")
	for line := range strings.Lines(s.View().Content) {
		if before, _, on := strings.Cut(line, look); on {
			return ansi.StringWidth(before)
		}
	}
	return -1
}

func TestTheCursorGoesFromMarkToMarkAndNamesEachInFull(t *testing.T) {
	s := newScreen(t, 100, 40)
	overTime(s)
	s.keys("ctrl+t", "s", "down")
	require.Equal(t, "✓ completed · began 12:00:04 · delivered at 12:00:24", s.marked(), "at the right edge it is the session")
	for _, want := range []string{
		"✓ completed | at 24s, 12:00:24 · step 3",
		"▸ message delivered from user, look at the tests too | at 20s, 12:00:20 · step 3",
		"━ model | at 20s, 12:00:20 · for 4s · step 3",
		"~ wait rate limited; asking again in 3s | at 17s, 12:00:17 · for 3s · step 2",
		"━ model | at 17s, 12:00:17 · for 3s · step 2",
		"▓ tool shell go test ./internal/shop, error | at 12s, 12:00:12 · for 5s · step 1",
		"█ tool read internal/shop/refund.go, ok | at 10s, 12:00:10 · for 2s · step 1",
		"━ model | at 4s, 12:00:04 · for 6s · step 1",
		"━ model | at 4s, 12:00:04 · for 6s · step 1", // the first one: it goes no farther
	} {
		s.keys("left")
		require.Equal(t, want, s.marked())
	}
	s.keys("end", "up", "left")
	require.Equal(t, "◂ delivered the end of audit refunds | at 24s, 12:00:24 · step 1", s.marked())
	s.keys("down", "down", "right")
	require.Equal(t, "⊘ denied shell curl ledger.example, by nobody, nobody to ask | at 26s, 12:00:26 · step 1", s.marked(), "it stays at its time in the other lane")
	s.keys("down", "end", "left", "left", "left")
	for _, step := range [][2]string{
		{"left", "tool edit refund.go | at 37s, 12:00:37 · for 13s"},
		{"right", "question edit refund.go, yes, by you | at 37s, 12:00:37 · for 9s"},
		{"right", "stop requested by you"},
		{"right", "stopped by you"},
		{"right", "began 12:00:04 · queued 20s"}, // past the newest it follows
	} {
		s.keys(step[0])
		require.Contains(t, s.marked(), step[1])
	}
	s.keys("home")
	require.Equal(t, "· waited for a slot | at 4s, 12:00:04 · for 20s", s.marked())
}

func TestTheCursorStaysOnItsMarkWhileOthersCome(t *testing.T) {
	s := newScreen(t, 100, 40)
	s.ask("go")
	s.log(root, "r1", lifecycle.ToolStarted{Call: "a", Tool: "read", Label: "one"}, lifecycle.ToolStarted{Call: "b", Tool: "read", Label: "two"})
	s.pass(2 * time.Second)
	s.keys("ctrl+t", "left")
	require.Equal(t, "█ tool read two | at 0s, 12:00:00 · for 2s so far · step 1", s.marked())
	s.pass(2 * time.Second)
	require.Contains(t, s.marked(), "for 4s so far", "it is live")
	s.log(root, "r1", lifecycle.ToolEnded{Call: "b", Tool: "read", Status: lifecycle.ToolOK})
	s.pass(2 * time.Second)
	s.log(root, "r1", lifecycle.ToolEnded{Call: "a", Tool: "read", Status: lifecycle.ToolOK}, lifecycle.StepStarted{Step: 2})
	s.pass(time.Second)
	require.Equal(t, "█ tool read two, ok | at 0s, 12:00:00 · for 4s · step 1", s.marked())
	require.True(t, s.clock.Running)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	s.pass(2 * terminal.Beat)
	require.False(t, s.clock.Running, "nothing moves, and no clock runs")
}

func TestTheTimelineZoomsAroundTheCursor(t *testing.T) {
	s := newScreen(t, 100, 40)
	overTime(s)
	s.keys("ctrl+t", "s", "down", "left", "left", "left", "left", "left", "left") // the failed tool, 12 s to 17 s
	before := s.cursorColumn()
	require.Positive(t, before)
	for i, part := range []string{"27s of 54s", "13.5s of 54s", "6.8s of 54s"} {
		s.keys("+")
		require.Contains(t, s.text(), part)
		require.InDelta(t, before, s.cursorColumn(), 1, "zoom %d: the mark stays where it is", i+1)
	}
	require.Contains(t, s.text(), "│12s")
	s.keys("right", "right", "right", "right", "right")
	mark, _ := s.dashboard.Lanes.Cursor(s.dashboard.Over(s.boardSource()))
	require.Equal(t, lifecycle.SpanEnd, mark.Kind)
	require.Positive(t, s.cursorColumn(), "the part follows the cursor")
	s.pass(10 * time.Second)
	require.Contains(t, s.text(), "6.8s of 1m4s", "and stays while time goes on")
	s.keys("-")
	require.Contains(t, s.text(), "13.5s of 1m4s")
	for range 40 {
		s.typed("=")
	}
	s.send(heldDue{s.holds})
	require.Contains(t, s.text(), "50ms of 1m4s", "and no closer")
	s.keys("0")
	require.NotContains(t, s.text(), " of 1m")
	s.typed("+-")
	s.send(heldDue{s.holds})
	require.NotContains(t, s.text(), " of 1m", "in and out again is the whole")
}

func TestAClickOnALaneTakesTheCursorToWhatIsThere(t *testing.T) {
	s := newScreen(t, 100, 40)
	overTime(s)
	s.keys("ctrl+t")
	s.clickOn("▓▓▓▓")
	require.Equal(t, lifecycle.SessionID("audit refunds"), s.dashboard.Lanes.Session)
	require.Contains(t, s.marked(), "tool shell go test")
	s.clickOn("⊘")
	require.Equal(t, lifecycle.SessionID("compare the ledgers of all years"), s.dashboard.Lanes.Session)
	require.Contains(t, s.marked(), "denied shell curl")
	s.clickOn("waits its turn")
	require.Equal(t, lifecycle.SessionID("waits"), s.dashboard.Lanes.Session)
	require.Contains(t, s.marked(), "stopped by you · began")
	s.clickOn("│10s")
	require.Equal(t, lifecycle.SessionID("waits"), s.dashboard.Lanes.Session, "the axis is no lane")
}

// Enter opens the session at the mark, and reads what it takes to get there.
func TestEnterOpensTheSessionAtTheMark(t *testing.T) {
	log := logOf(390)
	s := reopenedAt(t, log, len(log), func(after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return log[after:min(int(after)+limit, len(log))], nil
	})
	s.options.Older = func(_ context.Context, _ lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		end := min(int(before)-1, len(log))
		return log[max(0, end-min(limit, 300)):end], nil
	}
	s.keys("ctrl+t", "home", "right", "right", "right", "right", "right", "right") // queued, model, file 0, model, …
	mark, _ := s.dashboard.Lanes.Cursor(s.dashboard.Over(s.boardSource()))
	s.keys("enter")
	require.Nil(t, s.dashboard)
	require.NotNil(t, s.reader)
	require.Equal(t, mark.Seq, s.reader.block.Seq)
	require.Contains(t, s.text(), strings.TrimSuffix(strings.TrimPrefix(mark.Label, "read "), ", ok"))
	request := lifecycle.Seq(3 + 4*200) // of step 201, whose tool reads file 200
	blocks := s.talk(root).Blocks
	require.Equal(t, "file 200", blocks[goal{seq: request, onward: true}.block(blocks)].Label)
	require.Equal(t, "file 199", blocks[goal{seq: request}.block(blocks)].Label)
	require.Equal(t, "file 200", blocks[goal{seq: request + 2}.block(blocks)].Label)
	s.keys("esc", "ctrl+end", "ctrl+t", "enter")
	require.Nil(t, s.reader, "without a cursor it is opened where it was left")
	require.Contains(t, s.text(), "file 389")
}

func TestAQuestionIsOnTheTimelineWhileItIsOpen(t *testing.T) {
	s := newScreen(t, 80, 30)
	s.ask("go")
	s.delegate("audit", true)
	s.keys("ctrl+t", "down")
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "audit", Run: "run audit", Tool: "shell", Subject: "ls"}})
	s.pass(2 * time.Second)
	lane := ""
	for _, line := range strings.Split(s.text(), "\n") {
		if strings.HasPrefix(line, "› audit") {
			lane = line
		}
	}
	require.Contains(t, lane, "????")
	require.Equal(t, atQuestion, s.at(), "and it can be answered there")
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

func TestWhatOthersWroteIsInertOnTheTimeline(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := func() string { return hostileText().Draw(rt, "text") }
		s := newScreen(t, rapid.IntRange(20, 120).Draw(rt, "width"), rapid.IntRange(6, 40).Draw(rt, "height"))
		s.ask("go")
		s.log(root, "r1", lifecycle.ToolStarted{Call: "a", Tool: text(), Label: text()}, lifecycle.Waiting{Why: text()},
			lifecycle.Warned{Kind: lifecycle.WarningKind(text()), Message: text()}, lifecycle.PermissionDenied{Tool: text(), Subject: text(), By: lifecycle.Decider(text()), Reason: text()},
			lifecycle.StopRequested{Cause: lifecycle.Cause(text()), Reason: text()})
		s.pass(time.Second)
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailureKind(text()), Message: text()}})
		s.keys("ctrl+t")
		for range 7 {
			s.keys("left")
			inert(rt, s.View().Content)
			narrow(rt, s.View().Content, s.width, s.height)
		}
	})
}

// Whatever a model called a run and its files, the dashboard draws it inert and within its
// columns, in any size and order.
func TestWhatOthersWroteIsInertOnTheDashboard(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := func() string { return hostileText().Draw(rt, "text") }
		s := newScreen(t, rapid.IntRange(20, 220).Draw(rt, "width"), rapid.IntRange(4, 60).Draw(rt, "height"))
		s.ask("go")
		for i, end := range []lifecycle.Event{
			lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailureKind(text()), Message: text()}},
			lifecycle.Ended{State: lifecycle.StateCompleted, Result: text()},
			lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "2", Run: "run 2", Tool: text(), Subject: text(), Who: text()}},
		} {
			session := lifecycle.SessionID(fmt.Sprint(i))
			run := "run " + lifecycle.RunID(session)
			s.log(session, run, lifecycle.Spawned{Spec: lifecycle.Spec{
				Root: root, Parent: root, ParentRun: "r1", Trigger: lifecycle.TriggerAgent, Background: true,
				Type: text(), Description: text(), Model: text(), Branch: text(), Prompt: text(), From: lifecycle.FromAgent,
			}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
			for n, view := range []agent.View{agent.TodoView{Items: []agent.TodoItem{{Text: text(), State: text()}}}, agent.DiffView{Path: text(), Diff: text(), Added: 3}} {
				call := lifecycle.CallID(fmt.Sprint(n))
				s.log(session, run, lifecycle.ToolStarted{Call: call, Tool: text(), Label: text()}, lifecycle.ToolEnded{Call: call, Tool: text(), Status: lifecycle.ToolOK, View: agent.EncodeView(view)})
			}
			s.log(session, run, lifecycle.Text{Text: text()}, lifecycle.PermissionDenied{Tool: text(), Subject: text(), By: lifecycle.Decider(text()), Reason: text()}, end)
		}
		s.keys("ctrl+t")
		for range 4 {
			inert(rt, s.View().Content)
			narrow(rt, s.View().Content, s.width, s.height)
			s.keys("down")
		}
		s.keys("/")
		s.send(tea.PasteMsg{Content: text()})
		inert(rt, s.View().Content)
		narrow(rt, s.View().Content, s.width, s.height)
	})
}

func TestTheTimelineIsThereWhileAQuestionWaits(t *testing.T) {
	s := newScreen(t, 80, 40)
	threeAsk(s)
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "Dashboard")
	require.Contains(t, s.text(), "y once", "the question still has the keys of an answer")
	s.keys("ctrl+t")
	require.NotContains(t, s.text(), "Dashboard")
	require.Empty(t, s.route.taken(), "nothing was answered")
}
