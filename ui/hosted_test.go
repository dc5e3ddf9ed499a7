package ui

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// fromEverywhere are ways to each place that can have the focus.
var fromEverywhere = map[string]func(*screen){
	"a composer":       func(*screen) {},
	"a line of text":   func(s *screen) { s.typed("mine") },
	"a view":           func(s *screen) { s.keys("tab") },
	"a card":           func(s *screen) { s.keys("down") },
	"a block":          func(s *screen) { s.keys("ctrl+up") },
	"the search":       func(s *screen) { s.keys("ctrl+f") },
	"the help":         func(s *screen) { s.keys("?") },
	"the palette":      func(s *screen) { s.keys("ctrl+p") },
	"the dashboard":    func(s *screen) { s.keys("ctrl+t") },
	"its filter":       func(s *screen) { s.keys("ctrl+t", "/") },
	"earlier prompts":  func(s *screen) { s.line().History = []string{"one"}; s.keys("ctrl+r") },
	"a completion":     func(s *screen) { s.typed("/he") },
	"stop all":         func(s *screen) { s.keys("ctrl+x") },
	"the quit dialog":  func(s *screen) { s.keys("ctrl+c", "ctrl+c") },
	"the changes":      lookAtChanges,
	"a comment":        func(s *screen) { lookAtChanges(s); s.keys("down", "down", "enter", "down", "c") },
	"a question":       func(s *screen) { s.question("q1"); s.pass(settled) },
	"a reason":         func(s *screen) { s.question("q1"); s.pass(settled); s.keys("r"); s.typed("because") },
	"an always":        func(s *screen) { s.question("q1"); s.pass(settled); s.keys("p") },
	"a queued message": func(s *screen) { s.keys("tab"); s.waits("m", "and this"); s.keys("up") },
}

// question asks whether the subagent may run a command.
func (s *screen) question(id lifecycle.QuestionID) {
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: id, Session: "audit", Run: "run audit", Tool: "shell", Subject: "ls", Rules: []string{"shell(ls)"}}})
}

func (s *screen) waits(id lifecycle.MessageID, text string) {
	s.log("audit", "run audit", lifecycle.MessageQueued{Message: lifecycle.Message{ID: id, From: lifecycle.FromUser, Text: text}})
}

func TestWhatTakesAWhileToFindIsSaidOnceTheScreenStands(t *testing.T) {
	for words, notice := range map[string]string{"another session works here": "another session works here", "": ""} {
		s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
			o.Commands.Hello.Find = func() string { return words }
		})
		require.NotContains(t, s.text(), "another session")
		s.carryOut(s.findHello())
		require.Equal(t, notice, s.notice.Text.String())
	}
}

func TestDetachWorksFromEverywhereAndStopsNothing(t *testing.T) {
	for place, lead := range fromEverywhere {
		s := idle(t)
		lead(s)
		s.route.taken()
		s.keys(`ctrl+\`)
		require.True(t, s.quit, place)
		require.Equal(t, Ending{Detach: true}, s.ending, place)
		require.Empty(t, s.route.taken(), place)
	}
}

func TestWhatIsTypedIsADraftAfterDetaching(t *testing.T) {
	saved := map[lifecycle.SessionID]string{}
	s := idle(t)
	s.options.SaveDraft = func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
		saved[session] = text
		return nil
	}
	s.typed("half ")
	s.keys("tab")
	s.typed("to audit ")
	s.question("q1")
	s.keys("ctrl+u")
	s.pass(settled)
	s.keys("r")
	s.typed("because")
	s.keys(`ctrl+\`)
	s.carryOut(s.saveDraft()) // as Run does
	require.Equal(t, map[lifecycle.SessionID]string{root: "half ", "audit": "because"}, saved)
}

func TestDetachingIsACommandToo(t *testing.T) {
	s := idle(t)
	s.typed("/detach")
	s.keys("enter")
	require.Equal(t, Ending{Detach: true}, s.ending)
}

func TestWhatWasSentArrivesBeforeTheScreenDetaches(t *testing.T) {
	s := idle(t)
	s.typed("hello")
	_, sending := s.Update(key("enter"))
	s.keys(`ctrl+\`)
	require.False(t, s.quit)
	s.carryOut(sending)
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "hello"}}, s.route.taken())
	require.Equal(t, Ending{Detach: true}, s.ending)

	s = idle(t)
	s.typed("hello")
	s.Update(key("enter")) // a disk that hangs
	s.keys(`ctrl+\`, `ctrl+\`)
	require.True(t, s.quit)
}

func TestQuittingCanLeaveTheRunsAlone(t *testing.T) {
	for key, ending := range map[string]Ending{
		"x": {Stop: true, Cause: lifecycle.CauseQuit}, "l": {Detach: true}, "3": {Detach: true},
	} {
		s := idle(t)
		s.keys("ctrl+c", "ctrl+c")
		require.Equal(t, 3, s.dialog.At, "on what changes nothing")
		s.keys(key)
		require.Equal(t, ending, s.ending)
	}
}

func TestASessionIsLeftForAnotherWithoutAQuestion(t *testing.T) {
	s := idle(t)
	next := Next{Session: "other"}
	s.carryOut(s.goTo(next))
	require.Equal(t, Ending{Detach: true, Next: &next}, s.ending)
}

func TestADialogAboutRunsClosesWhenNothingRunsAnyMore(t *testing.T) {
	for _, keys := range [][]string{{"ctrl+x"}, {"ctrl+c", "ctrl+c"}} {
		s := idle(t)
		s.keys(keys...)
		require.NotNil(t, s.dialog)
		s.Update(key("x")) // held
		s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
		require.Nil(t, s.dialog)
		require.Contains(t, s.text(), "nothing is running any more")
		s.send(heldDue{s.holds})
		require.Equal(t, "x", s.line().Text, "what was meant for it is text")
		require.Empty(t, s.route.taken())
	}
}

func TestAnAlwaysClosesWhenItsQuestionIsSettled(t *testing.T) {
	s := idle(t)
	s.question("q1")
	s.question("q2")
	s.pass(settled)
	s.keys("p")
	require.NotNil(t, s.dialog)
	s.log("audit", "run audit", lifecycle.PermissionGranted{Question: "q2", By: "person", Scope: lifecycle.GrantOnce})
	require.NotNil(t, s.dialog, "it is about the other one")
	s.log("audit", "run audit", lifecycle.PermissionGranted{Question: "q1", By: "person", Scope: lifecycle.GrantOnce})
	require.Nil(t, s.dialog)
	require.Empty(t, s.route.taken())
}

func TestTheListOfDenialsClosesWhenTheyAreGrantedElsewhere(t *testing.T) {
	s := idle(t)
	denied := lifecycle.PermissionDenied{Tool: "shell", Subject: "ls", By: "nobody", Reason: "nobody to ask"}
	s.log("audit", "run audit", denied)
	s.keys("down", "g")
	require.NotNil(t, s.denials)
	s.log("audit", "run audit", lifecycle.PermissionGranted{Tool: "shell", Subject: "ls", By: "person", Scope: lifecycle.GrantDenied})
	require.Nil(t, s.denials)
	require.Contains(t, s.text(), "what was denied is granted")
}

// answered is a route on which somebody else was first.
type answered struct{ route }

func (a *answered) Do(ctx context.Context, c lifecycle.Command) (lifecycle.Reply, error) {
	if _, is := c.(lifecycle.Resolve); is {
		return lifecycle.Reply{}, lifecycle.ErrUnknown
	}
	return a.route.Do(ctx, c)
}

func TestAnAnswerThatComesSecondIsNoErrorAndTheStopBehindItIsMade(t *testing.T) {
	s, r := idle(t), &answered{}
	s.options.Route = r
	s.question("q1")
	s.pass(settled)
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "audit", Cause: lifecycle.CauseKey}}, r.taken())
	s.keys("y")
	require.Empty(t, r.taken(), "it has been answered here")

	s, r = idle(t), &answered{}
	s.options.Route = r
	s.question("q1")
	s.pass(settled)
	s.keys("y")
	require.Equal(t, "it was answered already", string(s.notice.Text))
}

// Terminals tell of the key in three ways.
func TestTheKeyToDetachIsKnownToEveryKeyboard(t *testing.T) {
	for _, bytes := range []string{"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"} {
		s := sit(t, Options{Route: &route{}}, 80, 24)
		s.see("Ask Pawl")
		s.press("half a thought" + bytes)
		require.Equal(t, ended{ending: Ending{Detach: true}}, s.ending())
	}
}
