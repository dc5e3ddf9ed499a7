package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/dock"
	"pawl/ui/terminal"
)

// manyAtWork is a line of every sort: two that ask, one that its parent waits for, others at work,
// one that waits for a slot, and ends of which some need a look.
func manyAtWork(s *screen) {
	s.options.Slots = 5
	s.ask("Audit the shop.")
	s.log(root, "r1", lifecycle.Text{Text: "Some agents look at it, each at a part of its own."})
	well := []string{"read the docs", "list the callers", "check 漢字 wide"}
	for _, name := range well {
		s.delegate(name, true)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name),
			lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 8200, OutputTokens: 640, Cost: 0.0312}},
			lifecycle.Ended{State: lifecycle.StateCompleted, Result: "All of " + name + " is as it should be."}, lifecycle.NotificationQueued{})
	}
	s.log(root, "r1", lifecycle.StepStarted{Step: 2})
	for _, name := range well {
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name),
			lifecycle.NotificationDelivered{InRun: "r1", Step: 2}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})
	}
	s.delegate("fetch the rates", true)
	s.end("fetch the rates", "run fetch the rates", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries"}})
	s.delegate("tidy up", true)
	s.log("tidy up", "run tidy up", lifecycle.PermissionDenied{Tool: "shell", Subject: "rm -rf build", By: "nobody"},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Tidied, but for the build."})
	for _, name := range []string{"run the tests", "audit the ledger of all years"} {
		s.delegate(name, true)
	}
	s.delegate("audit refunds", false)
	s.delegate("fix the fee", true)
	s.log("waits", "run waits", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Type: "explore", Description: "count the tables", Background: true, Trigger: lifecycle.TriggerAgent}}, lifecycle.Queued{Position: 1})
	for i := range 11 {
		s.pass(6 * time.Second)
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{
			{Session: "audit refunds", Run: "run audit refunds", Step: 1, Text: "Reading the ledger of last year", OutputTokens: int64(i * i * 12), At: s.now},
			{Session: "audit the ledger of all years", Run: "run audit the ledger of all years", Step: 1, Text: "Comparing the sums", OutputTokens: int64(i % 4 * 400), At: s.now},
		}})
	}
	s.log("run the tests", "run run the tests", lifecycle.ToolStarted{Call: "t", Tool: "shell", Label: "go test ./..."},
		lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 21_000, OutputTokens: 900, Cost: 0.0719}})
}

// oneAsks is the same while one of them asks.
func oneAsks(s *screen) {
	manyAtWork(s)
	s.wonders("fix the fee", lifecycle.Question{ID: "q", Tool: "shell", Subject: "git commit -m 'Fix the fee'"})
}

// allSeen is a session whose subagents have all ended well, and were all looked at.
func allSeen(s *screen) {
	s.ask("Audit.")
	for _, name := range []string{"one", "two"} {
		s.delegate(name, true)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 20_000, Cost: 0.06}},
			lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	}
	s.log(root, "r1", lifecycle.Text{Text: "All is well."}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "All is well."})
	s.pass(2 * keep)
	s.keys("alt+down", "alt+down", "left")
	s.log(root, "r2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "And the rest?", From: lifecycle.FromUser}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "Nothing else."}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Nothing else."})
}

// dockScenes are the views of the lines above the composer.
var dockScenes = []scene{
	{"dock", manyAtWork},
	{"dock focused", func(s *screen) { manyAtWork(s); s.keys("down", "down") }},
	{"dock asks", oneAsks},
	{"dock unfolded", func(s *screen) { manyAtWork(s); s.toLine(dock.Ends); s.keys("enter", "down") }},
	{"dock all seen", allSeen},
}

// toLine moves the focus to a line.
func (s *screen) toLine(id lifecycle.SessionID) {
	s.t.Helper()
	s.keys("down")
	for range 20 {
		if s.card == id {
			return
		}
		s.keys("down")
	}
	require.Failf(s.t, "no such line", "%s:\n%s", id, s.text())
}

// dockLines are the rows of the lines, as they stand on the screen.
func (s *screen) dockLines() []string {
	s.View()
	at := s.picture.hits.below + s.picture.hits.cardsAt
	return strings.Split(s.text(), "\n")[at : at+len(s.picture.hits.cards)]
}

func TestWhoAsksComesFirstThenForegroundRunningQueuedAndEnded(t *testing.T) {
	s := newScreen(t, 120, 60)
	oneAsks(s)
	require.Equal(t, "fix the fee, audit refunds, run the tests, audit the ledger of all years, count the tables, fetch the rates, tidy up, 3 completed", s.pinnedNames())
}

// The foreground subagent, for which all waits, is seen however many others there are.
func TestTheForegroundSubagentIsSeenBesideFiveOfTheBackground(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 60}} {
		s := newScreen(t, size[0], size[1])
		s.ask("go")
		for i := range 5 {
			s.delegate(fmt.Sprint("background ", i), true)
		}
		s.delegate("awaited", false)
		require.Contains(t, strings.Join(s.dockLines(), "\n"), "awaited", "%v", size)
	}
}

func TestTheDockTakesTheRoomThereIsAndLeavesTheConversationAThird(t *testing.T) {
	for _, height := range []int{10, 14, 18, 24, 40, 60} {
		s := newScreen(t, 80, height)
		s.ask("go")
		for i := range 50 {
			s.delegate(fmt.Sprint("agent ", i), true)
		}
		s.View()
		require.GreaterOrEqual(t, 3*s.picture.room, height, "%d rows:\n%s", height, s.text())
		require.LessOrEqual(t, s.picture.room, height/3+1, "%d rows: none stands empty", height)
		rows := s.dockLines()
		require.Contains(t, rows[len(rows)-1], fmt.Sprintf("+%d more", 50-(len(rows)-1)))
	}
	s := newScreen(t, 120, 60)
	manyAtWork(s)
	require.NotContains(t, s.text(), " more\n", "all have room")
}

func TestTheLinesStayWhileAQuestionWaits(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		s := newScreen(t, size[0], size[1])
		oneAsks(s)
		text := s.text()
		require.Contains(t, text, "── 10 subagents · 3 work · 1 asks · 1 waits for a slot · 2 need a look")
		require.Regexp(t, `\? general fix the fee +asks you: shell`, text)
		require.Regexp(t, `general audit refunds +Reading the ledger`, text)
		require.Contains(t, text, "? general fix the fee · asks you", "its card says it too")
		require.Contains(t, text, "wants to use")
		require.Contains(t, text, "y once", "and the answers have room")
	}
	s := newScreen(t, 80, 24)
	manyAtWork(s)
	s.keys("ctrl+x")
	require.Regexp(t, `general audit refunds +Reading the ledger`, s.text(), "nor does a dialog hide them")
}

// On a low screen the question has most of it. Where a row is left beside it and some of the
// conversation, the line of who asks has that.
func TestOnALowScreenWhoAsksHasALine(t *testing.T) {
	for height := 8; height < airy; height++ {
		s := newScreen(t, 80, height)
		s.ask("go")
		s.delegate("audit refunds", true)
		s.delegate("count callers", true)
		s.wonders("count callers", lifecycle.Question{ID: "q", Tool: "shell", Subject: "git push"})
		require.Equal(t, height >= 10, strings.Contains(s.text(), "  ? general count callers  asks you: shell git push"), "%d rows:\n%s", height, s.text())
		require.Contains(t, s.text(), "y once")
	}
}

func TestNoKeyActsOnALineWhileAQuestionIsInFront(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	s.keys("down")
	require.Contains(t, s.text(), "enter open")
	s.wonders("fix the fee", lifecycle.Question{ID: "q", Tool: "shell", Subject: "ls"})
	require.NotContains(t, s.text(), "enter open")
}

func TestTheRuleHasTheSums(t *testing.T) {
	s := newScreen(t, 120, 60)
	oneAsks(s)
	s.log("fix the fee", "run fix the fee", lifecycle.PermissionGranted{Question: "q", By: "person", Scope: lifecycle.GrantOnce})
	require.Contains(t, s.text(), "── 10 subagents · 4 work · 1 waits for a slot · 2 need a look · ")
	require.Regexp(t, ` tok · \$0\.1\d · 3 of 5 slots ─`, s.text())
	require.NotContains(t, s.text(), "4 running", "once is enough")
	s = newScreen(t, 40, 10)
	manyAtWork(s)
	require.Contains(t, s.text(), "── 4 work · 2 need a look ─", "what is most urgent has room on the smallest screen")
}

func TestTheRuleIsAllThatIsLeftWhenAllIsWellAndSeen(t *testing.T) {
	s := newScreen(t, 80, 24)
	allSeen(s)
	require.Empty(t, s.docked())
	require.Regexp(t, `\n── 2 subagents · 40k tok · \$0\.12 ─+\n› Ask`, s.text())
	require.False(t, s.moving(), "and nothing moves")
}

func TestEndsThatWentWellAreOneLineThatOpens(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	require.Contains(t, s.text(), "✓ 3 completed")
	require.NotRegexp(t, `✓ general read the docs +All of`, s.text())
	s.toLine(dock.Ends)
	require.Contains(t, s.text(), "enter open · del hide them")
	s.keys("enter")
	require.Regexp(t, `✓ general read the docs +All of`, s.text())
	s.keys("down", "enter")
	require.Equal(t, lifecycle.SessionID("read the docs"), s.open, "each of them leads to its session")
	s.keys("left")
	require.Contains(t, s.text(), "✓ 2 completed", "what was looked at is gone")
	s.toLine(dock.Ends)
	s.keys("enter")
	require.NotRegexp(t, `✓ general list the callers +All of`, s.text(), "and Enter folds it again")
	s.keys("delete")
	require.NotContains(t, s.text(), "✓ 2 completed")
	require.Contains(t, s.text(), "hidden: 2 completed")
	require.Contains(t, s.pinnedNames(), "fetch the rates", "what failed stays")
	require.Contains(t, s.pinnedNames(), "tidy up", "and what was denied something")
}

func TestAClickOpensTheEndsThatWentWell(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	s.clickOn("3 completed")
	require.True(t, s.dock.Unfolded)
	require.Equal(t, root, s.open)
}

func TestAnEndWithChangesInItsWorktreeStaysUntilSomebodyLooked(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	for _, kept := range []bool{false, true} {
		name := fmt.Sprint("kept ", kept)
		s.delegate(name, false)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{
			State: lifecycle.StateCompleted, Result: "Done.",
			Worktree: &lifecycle.Worktree{Path: "/w", Branch: "b", Kept: kept, Files: 2, Added: 10},
		}, lifecycle.Consumed{By: lifecycle.ByToolResult})
	}
	s.pass(time.Hour)
	require.Equal(t, "kept true", s.pinnedNames())
	s.keys("down", "enter", "left")
	require.Empty(t, s.pinnedNames())
}

func TestCompletedButDeniedIsAWarningAndNoTick(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		s := newScreen(t, 120, 40, func(_ *Options, term *terminal.Features) { term.ASCII, term.Colour = ascii, true })
		manyAtWork(s)
		require.Regexp(t, `! general tidy up +Tidied`, s.text())
		var row string
		for _, line := range strings.Split(s.View().Content, "\n") {
			if strings.Contains(line, "Tidied") && strings.Contains(line, "tidy up") {
				row = line
			}
		}
		require.Contains(t, row, string(s.theme.Warn.Draw("!")))
	}
}

func TestTheCardInTheConversationSaysNothingThatItsLineSays(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	text := s.text()
	require.Contains(t, text, " general run the tests · running · background\n", "the figures stand on the line")
	require.Equal(t, 1, strings.Count(text, "21k tok"))
	require.NotContains(t, text, "· not opened\n", "who has read of the end stands there too")
}

func TestNoLineChangesItsPlaceWhileOneHasTheFocus(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	s.View()
	s.keys("down")
	before := s.pinnedNames()
	s.log("audit refunds", "run audit refunds", lifecycle.Detached{})
	require.Equal(t, before, s.pinnedNames())
	s.keys("up")
	require.NotEqual(t, before, s.pinnedNames(), "it waits no longer for one that is in the background")
}

func TestTheEndsOfARecordingOpenToo(t *testing.T) {
	live := newScreen(t, 120, 40)
	live.ask("go")
	for _, name := range []string{"one", "two"} {
		live.delegate(name, true)
		live.end(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "All of it."})
	}
	s := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) {
		o.Recorded, o.Snapshot, o.Tail = &Recorded{Name: "tape.json"}, live.runs.Snapshot(), live.talk(root).Records
	})
	s.toLine(dock.Ends)
	require.NotContains(t, s.text(), "esc back\n──", "its keys stand on the status line")
	s.keys("enter")
	require.Regexp(t, `✓ general one +All of it`, s.text())
}
