package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// wonders makes a subagent ask.
func (s *screen) wonders(name string, q lifecycle.Question) {
	run := lifecycle.RunID("run " + name)
	if q.Session == "" {
		q.Session, q.Run, q.Who = lifecycle.SessionID(name), run, name
	}
	q.Call = lifecycle.CallID("call " + string(q.ID))
	s.log(q.Session, q.Run, lifecycle.PermissionAsked{Question: q})
	s.read()
}

// threeAsk is a screen with three questions, of two subagents and of Pawl itself.
func threeAsk(s *screen) {
	s.ask("go")
	s.delegate("audit refunds", false)
	s.delegate("run the tests", false)
	s.wonders("", lifecycle.Question{ID: "q1", Session: root, Run: "r1", Tool: "fetch", Subject: "https://go.dev/doc", Rules: []string{"fetch(host:go.dev)"}})
	s.wonders("audit refunds", lifecycle.Question{ID: "q2", Tool: "shell", Subject: "rm -rf build"})
	s.wonders("run the tests", lifecycle.Question{ID: "q3", Tool: "shell", Subject: "go test ./...", Rules: []string{"shell(go test *)"}})
}

func TestAQuestionForItsOwnSakeOffersAYesForThisCallAlone(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.wonders("", lifecycle.Question{
		ID: "q1", Session: root, Run: "r1", Tool: "shell", Subject: "git commit -m x",
		Because: "the user's rule shell(git commit *) asks about it", Each: true,
	})
	require.Contains(t, s.inside(), "git commit -m x\n  the user's rule shell(git commit *) asks about it\n")
	require.Contains(t, s.text(), "  1 y once  ›2 n no   3 r refuse, and say why")
	s.keys("a", "a", "s", "s")
	require.Empty(t, s.route.taken())
	require.Equal(t, "aass", s.line().Text, "they are text here")
	s.keys("ctrl+u")
	s.pass(settled)
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

func settledBy(s *screen, id lifecycle.QuestionID, event lifecycle.Event) {
	for _, q := range s.runs.Questions() {
		if q.ID == id {
			s.log(q.Session, q.Run, event)
		}
	}
}

func TestQuestionsThatWaitAreWalkedThroughWithoutAnAnswer(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	require.Contains(t, s.text(), "1 of 3")
	require.Contains(t, s.text(), "audit refunds wants to use shell rm -rf build", "who else waits is listed")
	for _, step := range [][2]string{{"tab", "2 of 3"}, {"tab", "3 of 3"}, {"tab", "1 of 3"}, {"shift+tab", "3 of 3"}, {"shift+tab", "2 of 3"}} {
		s.keys(step[0])
		require.Contains(t, s.text(), step[1], step[0])
	}
	require.Empty(t, s.route.taken())
	s.keys("y")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q2", Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "person"}}}, s.route.taken())
	settledBy(s, "q2", lifecycle.PermissionGranted{Question: "q2", By: "person"})
	require.Contains(t, s.text(), "2 of 2", "the next one takes its place")
	require.Contains(t, s.text(), "▲ run the tests wants to use shell")
	settledBy(s, "q3", lifecycle.PermissionDenied{Question: "q3", By: "person"})
	require.Contains(t, s.text(), "▲ Pawl wants to use fetch", "after the last comes the first")
}

func TestAQuestionThatIsLookedAtStaysWhenOthersComeAndGo(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.keys("tab")
	settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "rule"})
	require.Contains(t, s.text(), "1 of 2")
	require.Contains(t, s.text(), "rm -rf build")
	s.wonders("audit refunds", lifecycle.Question{ID: "q4", Tool: "shell", Subject: "ls"})
	require.Contains(t, s.inside(), "▲ audit refunds wants to use shell\n  rm -rf build")
}

func TestARuleIsShownInFullBeforeItIsTaken(t *testing.T) {
	long := "shell(./scripts/deploy --to staging --from " + strings.Repeat("x", 100) + ")"
	for _, width := range []int{40, 80, 120} {
		s := newScreen(t, width, map[int]int{40: 10, 80: 24, 120: 40}[width], func(o *Options, _ *terminal.Features) { o.Allowed = "~/.local/state/pawl/allowed.toml" })
		s.ask("go")
		s.wonders("", lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "./scripts/deploy", Rules: []string{"shell(go test *)", long}})
		for _, key := range []string{"p", "!"} {
			s.keys(key)
			require.Empty(t, s.route.taken())
			require.Contains(t, s.text(), "Always allow this")
			require.Contains(t, strings.ReplaceAll(s.text(), "\n", ""), "shell(go test *)")
			s.keys("esc")
			require.Contains(t, s.text(), "wants to use shell")
		}
		s.keys("p", "enter")
		require.Empty(t, s.route.taken(), "the mark is on the way back")
		s.keys("p", "y")
		want := lifecycle.Answer{Allow: true, Scope: lifecycle.GrantAlways, By: "person"}
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q", Answer: want}}, s.route.taken())
	}
}

func TestWhereNoRuleIsSafeAlwaysIsNotOffered(t *testing.T) {
	s := asked(t)
	require.NotContains(t, s.text(), "always")
	s.keys("p", "!")
	require.Nil(t, s.dialog)
	require.Equal(t, "p!", s.line().Text)
	require.Empty(t, s.route.taken())
}

func TestAnAnswerThatFailsIsSaidOnTheQuestion(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.route.err = errors.New("keep the rule: no space left on device")
	s.keys("p", "y")
	require.Contains(t, s.text(), "no space left on device")
	require.Contains(t, s.text(), "1 of 3")
}

func TestCtrlCOnAQuestionStopsTheRunEvenIfTheAnswerCannotBeSaved(t *testing.T) {
	s := asked(t)
	s.route.err = errors.New("not saved: no space left on device")
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}, lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseKey},
	}, s.route.taken())
	require.Contains(t, s.text(), "no space left on device")
}

func TestTheFirstAnswerToAQuestionIsTheOnlyOne(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.keys("y", "n", "y", "r", "p", "s")
	require.Len(t, s.route.taken(), 1, "the question still stands, for its record is on its way")
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey}}, s.route.taken())
	settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "person"})
	s.route.err = errors.New("disk full")
	require.Equal(t, "nyrps", s.line().Text, "and the letters are text")
	s.keys("ctrl+u")
	s.pass(settled)
	s.keys("n")
	require.Len(t, s.route.taken(), 1)
	s.pass(settled)
	s.keys("n")
	require.Len(t, s.route.taken(), 1, "an answer that failed is none")
}

func TestANoGoesWithItsReason(t *testing.T) {
	for _, key := range []string{"r", "N"} {
		s := asked(t)
		s.keys(key)
		s.typed("use mak clen")
		s.keys("alt+b", "left", "e", "ctrl+e", "left", "a")
		s.keys("ctrl+e")
		s.send(tea.PasteMsg{Content: "\nthen test"})
		require.Regexp(t, `use make clean *│\n│ *then test`, s.text(), "a paste keeps its lines")
		require.Contains(t, s.text(), "enter deny with this reason")
		require.Empty(t, s.route.taken(), "letters are no answers here")
		s.keys("enter")
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{Reason: "use make clean\nthen test", By: "person"}}}, s.route.taken())
		require.True(t, s.line().Empty(), "nothing of it is in the message")
	}
}

func TestEscFromAReasonIsNoAnswer(t *testing.T) {
	s := asked(t)
	s.keys("r", "x", "esc")
	require.Empty(t, s.route.taken())
	require.Equal(t, atQuestion, s.at())
	s.keys("r", "ctrl+c")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}, lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseKey},
	}, s.route.taken())
}

func TestAReasonIsNoAnswerToTheQuestionThatComesNext(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.keys("r")
	s.typed("not ")
	s.pass(5 * time.Second)
	settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "rule"})
	s.typed("yanp")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "pause to answer")
	for _, id := range []lifecycle.QuestionID{"q2", "q3"} {
		settledBy(s, id, lifecycle.PermissionGranted{Question: id, By: "rule"})
	}
	require.Equal(t, "not yanp", s.line().Text, "what was typed is not lost")
}

func TestEveryChoiceIsSeenWithItsKey(t *testing.T) {
	for size, words := range map[[2]int][]string{
		{80, 24}: {"y once", "2 a all fetch calls until this turn ends", "3 s until you quit", "4 p permanently allow fetch(host:go.dev)", "›5 n no", "6 r refuse, and say why", "ctrl+c deny it and stop the run", "tab the next"},
		{40, 10}: {"1 y once", "2 a all this turn", "3 s until quit", "4 p permanently", "›5 n no", "6 r refuse + why", "ctrl+c deny, stop", "tab next"},
	} {
		s := newScreen(t, size[0], size[1])
		threeAsk(s)
		for _, w := range words {
			require.Contains(t, s.text(), w)
		}
	}
}

func TestHostileRulesAndReasonsAreInert(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := hostileText().Draw(r, "text")
		s := newScreen(t, rapid.IntRange(1, 130).Draw(r, "width"), rapid.IntRange(1, 50).Draw(r, "height"), func(o *Options, _ *terminal.Features) { o.Allowed = x })
		s.ask("go")
		for _, id := range []lifecycle.QuestionID{"q1", "q2"} {
			s.wonders("", lifecycle.Question{ID: id, Session: root, Run: "r1", Who: x, Tool: x, Subject: x, Rules: []string{x}})
		}
		s.look()
		s.keys("p")
		s.look()
		s.keys("esc", "r")
		s.send(tea.PasteMsg{Content: x})
		s.look()
		s.keys("esc", "tab")
		s.look()
		settledBy(s, "q2", lifecycle.PermissionGranted{Question: "q2", Call: "call q2", By: "person", Scope: lifecycle.GrantAlways, Rules: []string{x}})
		s.look()
	})
}

// behind has a question of a subagent in the background come while its user does something else.
func behind(t *testing.T, parentWorks bool) *screen {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.delegate("tidy", true)
	if !parentWorks {
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Started."})
	}
	s.pass(10 * time.Second)
	return s
}

func TestNoKeyForSomethingElseEndsARunThatAsksJustThen(t *testing.T) {
	stops := func(session lifecycle.SessionID) []lifecycle.Command {
		return []lifecycle.Command{lifecycle.Stop{Session: session, Cause: byKey}}
	}
	for name, c := range map[string]struct {
		parentWorks bool
		before      func(*screen)
		key         string
		want        []lifecycle.Command
	}{
		"clearing the line":          {false, func(s *screen) { s.typed("half a line") }, "ctrl+c", nil},
		"clearing it by esc":         {false, func(s *screen) { s.typed("half a line") }, "esc", nil},
		"stopping the parent":        {true, func(*screen) {}, "ctrl+c", stops(root)},
		"stopping the parent by esc": {true, func(*screen) {}, "esc", stops(root)},
		"stopping another":           {false, func(s *screen) { s.keys("down", "down"); s.pass(settled) }, "ctrl+c", stops("tidy")},
		"closing the dashboard":      {false, func(s *screen) { s.keys("ctrl+t"); s.pass(settled) }, "ctrl+c", nil},
	} {
		s := behind(t, c.parentWorks)
		c.before(s)
		s.question("q1")
		s.now = s.now.Add(50 * time.Millisecond)
		s.keys(c.key)
		require.Equal(t, c.want, s.route.taken(), name)
		require.True(t, s.lineEmpty(), name)
		require.Nil(t, s.dashboard, name)
		s.pass(settled)
		s.keys("ctrl+c")
		require.Equal(t, append([]lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}}, stops("audit")...), s.route.taken(), "it has been seen")
	}
}

func TestASecondEscOrInterruptIsNoAnswerToTheQuestionThatComesNext(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		s := behind(t, true)
		s.question("q1")
		s.wonders("tidy", lifecycle.Question{ID: "q2", Tool: "shell", Subject: "ls"})
		s.pass(settled)
		s.keys(key)
		require.NotEmpty(t, s.route.taken())
		settledBy(s, "q1", lifecycle.PermissionDenied{Question: "q1", By: "person"})
		s.now = s.now.Add(time.Second)
		s.keys(key, key)
		require.Empty(t, s.route.taken())
		require.Contains(t, s.text(), "pause before you answer the next question")
		s.pass(settled)
		s.keys("esc")
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q2", Answer: lifecycle.Answer{By: "person"}}}, s.route.taken())
	}
}
