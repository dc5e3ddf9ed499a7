package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// rowsInSight are the names in the table, as far as it has them in full.
func rowsInSight(s *screen) (names []string) {
	_, table, _ := strings.Cut(s.text(), "activity")
	for line := range strings.Lines(table[strings.Index(table, "\n")+1:]) {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "›"), " ")
		if strings.HasPrefix(line, "─") || strings.TrimSpace(line) == "" {
			break
		}
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, _, _ = strings.Cut(name, "  ")
		names = append(names, name)
	}
	return names
}

func TestTheDashboardSortsByNeedAndSChangesTheOrder(t *testing.T) {
	s := newScreen(t, 150, 50)
	manyRuns(s)
	s.keys("ctrl+t")
	const asker, failed, refused, waits, rules = "fix the ledgers of all years", "compare 漢字 ␛[2J names", "count callers", "waits its turn", "read the rules"
	require.Equal(t, []string{asker, failed, refused, "main agent", "npm run dev", waits, rules}, rowsInSight(s))
	require.Contains(t, s.text(), "Dashboard · 1 asks · 2 to look at · 2 work · 1 queued · 1 ended · 18k tok · $0.47")
	s.keys("down", "s")
	require.Contains(t, s.text(), "by start")
	require.Equal(t, []string{"main agent", rules, asker, failed, refused, waits, "npm run dev"}, rowsInSight(s))
	s.keys("s")
	require.Contains(t, s.text(), "by name")
	require.Equal(t, []string{failed, refused, asker}, rowsInSight(s)[:3])
	s.keys("s", "s", "s", "s")
	require.Contains(t, s.text(), "by cost")
	require.Equal(t, []string{asker, rules, "main agent"}, rowsInSight(s)[:3])
	require.Equal(t, lifecycle.SessionID("compare 漢字 \x1b[2J names"), s.target(), "the selection stays")
	s.keys("esc", "ctrl+t", "down")
	require.Contains(t, s.text(), "by cost", "it is kept until another one is wanted")
	s.keys("s")
	require.Contains(t, s.text(), "by need")
	s.keys("S")
	require.Contains(t, s.text(), "by cost")
	require.Empty(t, s.route.taken())
	s.keys("s")
	settledBy(s, "q", lifecycle.PermissionGranted{Question: "q", By: "person"})
	require.Equal(t, failed, rowsInSight(s)[0], "it is sorted anew when a record comes")
}

// Between two turns the main agent waits for its user: no run of its has to be looked at, and it is
// no end to be counted.
func TestTheMainAgentIsIdleBetweenTurns(t *testing.T) {
	s := newScreen(t, 150, 50)
	manyRuns(s)
	s.end(root, "r2", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "They are at work.\nMore below."})
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "1 asks · 2 to look at · 1 work · 1 queued · 1 idle · 1 ended")
	require.Equal(t, []string{"waits its turn", "main agent", "read the rules"}, rowsInSight(s)[4:])
	require.Regexp(t, `(?m)^  · main agent .* idle · They are at work\.`, s.text())
	s.keys("/")
	s.typed("idle")
	require.Equal(t, []string{"main agent"}, rowsInSight(s))
	require.Contains(t, s.text(), "· main agent · idle · ")
	s.keys("esc", "esc")
	s.log(root, "r3", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "Go on.", From: lifecycle.FromUser}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.end(root, "r3", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: "anthropic refused the key"}})
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "3 to look at", "what went wrong is said")
	require.NotContains(t, s.text(), "idle")
}

func TestTheFilterOfTheDashboardKeepsWhatIsTypedAndEscClearsIt(t *testing.T) {
	s := newScreen(t, 150, 50)
	manyRuns(s)
	s.keys("ctrl+t", "/")
	s.typed("EXPLORE c")
	require.Equal(t, []string{"compare 漢字 ␛[2J names", "count callers", "waits its turn"}, rowsInSight(s))
	require.NotContains(t, s.text(), "npm run dev", "the lanes are the same rows")
	require.Contains(t, s.text(), "1 of 3")
	s.keys("o", "m", "p", "backspace", "down")
	require.Equal(t, lifecycle.SessionID("count callers"), s.target())
	s.keys("ctrl+u")
	require.Len(t, rowsInSight(s), 7)
	s.send(tea.PasteMsg{Content: "nothing\nof it"})
	require.Contains(t, s.text(), "nothing matches: esc clears the filter")
	require.Empty(t, s.target())
	s.keys("enter", "enter", "down", "left", "home", "+", "delete")
	require.NotNil(t, s.dashboard)
	require.Empty(t, s.route.taken(), "no row, and no key acts on one")
	s.keys("esc")
	require.Len(t, rowsInSight(s), 7)
	s.keys("/")
	s.typed("count")
	s.keys("enter", "enter")
	require.Equal(t, lifecycle.SessionID("count callers"), s.open)
	require.Empty(t, s.line().Text)
}

// On the dashboard a question stands in front where its run is selected, and its keys and their
// rules are those of everywhere.
func TestAQuestionIsAnsweredOnItsRowByTheRulesOfEverywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 60}} {
		s := newScreen(t, size[0], size[1])
		manyRuns(s)
		s.keys("ctrl+t")
		require.Equal(t, atQuestion, s.at(), "who asks is selected")
		require.Contains(t, s.text(), "wants to")
		s.keys("s")
		require.Empty(t, s.route.taken(), "a wider yes takes a second press")
		s.keys("s")
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q", Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantSession, By: "person"}}}, s.route.taken())
		settledBy(s, "q", lifecycle.PermissionGranted{Question: "q", By: "person"})
		require.Equal(t, atDashboard, s.at())
		s.wonders("fix the ledgers of all years", lifecycle.Question{ID: "q2", Tool: "shell", Subject: "rm -rf build"})
		require.Contains(t, s.text(), "pause to answer")
		s.keys("y")
		require.Empty(t, s.route.taken(), "until no key came for 2 s it is text")
	}
}

func TestAQuestionThatTakesKeysIsSeenOnADashboardOfEverySize(t *testing.T) {
	for _, width := range []int{100, 160, 200} {
		for height := 8; height <= 16; height++ {
			s := newScreen(t, width, height)
			s.ask("go")
			s.wonders("", lifecycle.Question{ID: "q1", Session: root, Run: "r1", Tool: "shell", Subject: "rm -rf build"})
			s.keys("ctrl+t")
			require.Equal(t, atQuestion, s.at())
			require.Contains(t, s.text(), "wants to use shell", "%dx%d", width, height)
			require.Contains(t, s.text(), "y once", "%dx%d", width, height)
		}
	}
}

func TestAQuestionOfAnotherRowWaitsUntilThatIsSelected(t *testing.T) {
	s := newScreen(t, 120, 40)
	threeAsk(s)
	s.delegate("idle hands", true)
	s.pass(settled)
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "Pawl wants to use fetch")
	s.keys("down")
	require.Contains(t, s.text(), "audit refunds wants to use shell")
	s.keys("tab")
	require.Contains(t, s.text(), "run the tests wants to use shell")
	require.Equal(t, lifecycle.SessionID("run the tests"), s.target(), "tab goes from one that asks to the next")
	s.keys("r")
	s.typed("not now")
	require.Contains(t, s.text(), "not now")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q3", Answer: lifecycle.Answer{Reason: "not now", By: "person"}}}, s.route.taken())
	s.keys("down")
	require.Equal(t, lifecycle.SessionID("idle hands"), s.target())
	require.Equal(t, atDashboard, s.at())
	require.NotContains(t, s.text(), "wants to use")
	s.keys("y")
	require.Empty(t, s.route.taken(), "it answers nothing that is not in front")
	require.Nil(t, s.dashboard, "it is text")
}

func TestTheKeysOfALineWorkOnARowOfTheDashboard(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	s.delegate("audit", false)
	s.delegate("count", false)
	s.keys("ctrl+t", "s", "down")
	require.Contains(t, s.text(), "enter open · b to the background · m message · x x stop")
	s.keys("b", "x")
	require.Contains(t, s.text(), "x again stops it")
	s.keys("down", "x")
	require.Equal(t, []lifecycle.Command{lifecycle.Detach{Session: "audit"}}, s.route.taken(), "a press on another row is no second one")
	s.keys("x")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "count", Cause: byKey}}, s.route.taken())
	s.log("count", "run count", lifecycle.Overdue{After: 10 * time.Minute},
		lifecycle.PermissionDenied{Tool: "shell", Subject: "ls", By: "nobody", Reason: "nobody to ask"})
	require.Contains(t, s.text(), "overdue")
	require.Contains(t, s.text(), "1 to look at")
	s.keys("w")
	require.NotContains(t, s.text(), "to look at", "a choice that no record says sorts anew too")
	s.keys("g", "g", "g")
	require.Equal(t, []lifecycle.Command{lifecycle.Grant{Session: "count", Deeds: []lifecycle.Deed{{Tool: "shell", Subject: "ls"}}}}, s.route.taken())
	s.end("count", "run count", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	s.keys("r")
	require.Equal(t, []lifecycle.Command{lifecycle.Continue{Session: "count"}}, s.route.taken())
	s.keys("delete")
	require.Contains(t, s.text(), "hidden: count")
	require.NotNil(t, s.dashboard)
	s.keys("m")
	require.Equal(t, lifecycle.SessionID("count"), s.open)
	require.Equal(t, atView, s.at())
}

func TestTheSelectedRunShowsItsPlanItsFilesAndWhatItWrites(t *testing.T) {
	s := newScreen(t, 200, 60)
	manyRuns(s)
	s.keys("ctrl+t")
	for _, want := range []string{
		"plan 1 of 4 done", "◐ mend 2024", "changed 2 files +44 −5", "ledger/2024.go +13 −5", "ledger/day.go new +31 −0",
		"Some years are off by a day.", "go test ./ledger/...",
	} {
		require.Contains(t, s.text(), want)
	}
	s.keys("down", "down")
	require.Contains(t, s.text(), "1 denied, the last: shell curl ledger.example")
	s.keys("down")
	require.Contains(t, s.text(), "While they work I look at the callers")
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: root, Run: "r2", Step: 1, Text: "While they work I look at the callers, one by one", At: s.now}}})
	require.Contains(t, s.text(), "callers, one by one", "it is live")
}

// What has room stands beside each other or one under another; the least screen has the table
// alone.
func TestTheDashboardIsLaidOutBySize(t *testing.T) {
	for _, row := range []struct {
		width, height       int
		lanes, full, beside bool
	}{{40, 10, false, false, false}, {80, 24, true, true, false}, {120, 40, true, true, false}, {160, 40, true, true, true}, {200, 60, true, true, true}, {200, 10, false, false, false}} {
		s := newScreen(t, row.width, row.height)
		manyRuns(s)
		s.keys("ctrl+t", "down", "down", "down")
		text := s.text()
		require.Contains(t, text, "› ⠦ main agent", "%dx%d", row.width, row.height)
		require.Equal(t, row.lanes, strings.Contains(text, "│0s"), "%dx%d", row.width, row.height)
		require.Equal(t, row.full, strings.Contains(text, "main agent · running"), "%dx%d", row.width, row.height)
		require.Equal(t, row.beside, strings.Contains(strings.Split(text, "\n")[1], "main agent · running"), "%dx%d", row.width, row.height)
	}
}

func TestTheMouseSelectsARowAndThenOpensIt(t *testing.T) {
	s := newScreen(t, 150, 50)
	manyRuns(s)
	s.keys("ctrl+t")
	click := func() {
		for y, line := range strings.Split(s.text(), "\n") {
			if strings.Contains(line, "! count callers ") && !strings.Contains(line, " · ") {
				s.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 10, Y: y})
				return
			}
		}
		require.Fail(t, "no such row", s.text())
	}
	click()
	require.Equal(t, lifecycle.SessionID("count callers"), s.target())
	require.NotNil(t, s.dashboard)
	click()
	require.Equal(t, lifecycle.SessionID("count callers"), s.open)
	require.Nil(t, s.dashboard)
}
