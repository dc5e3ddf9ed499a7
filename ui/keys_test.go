package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

func TestSendGoesToTheSessionThatIsShown(t *testing.T) {
	s := idle(t)
	s.typed("one")
	s.keys("enter", "down", "enter")
	s.typed("two")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Send{Session: root, Text: "one"}, lifecycle.Send{Session: "audit", Text: "two"},
	}, s.route.taken())
	require.Contains(t, s.text(), `Message "audit"`)
	s.keys("left")
	require.Equal(t, root, s.open)
}

func TestNewLines(t *testing.T) {
	s := newScreen(t, 80, 24)
	for _, key := range []string{"alt+enter", "shift+enter", "ctrl+j"} {
		s.typed("a")
		s.keys(key)
	}
	require.Equal(t, "a\na\na\n", s.line().Text)
	require.Empty(t, s.route.taken())
}

func TestPasteKeepsItsLines(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: "a\r\nb\tc\x1b[2J"})
	require.Equal(t, "a\nb\tc\x1b[2J", s.line().Text)
	require.Contains(t, s.text(), "b    c␛[2J")
}

func TestHistoryAndDraft(t *testing.T) {
	var saved []string
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.History, o.Drafts = []string{"first", "second"}, map[lifecycle.SessionID]string{root: "left over"}
		o.SaveDraft = func(_ lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
			saved = append(saved, text)
			return nil
		}
		o.Remember = func(text string) { saved = append(saved, "sent "+text) }
	})
	require.Equal(t, "left over", s.line().Text)
	s.keys("up", "up")
	require.Equal(t, "first", s.line().Text)
	s.keys("down", "down")
	require.Equal(t, "left over", s.line().Text)
	s.keys("enter", "up")
	require.Equal(t, "left over", s.line().Text)
	s.typed("!")
	s.send(draftDue{})
	require.Equal(t, []string{"sent left over", "", "left over!"}, saved)
}

func TestDraftsToSubagentsAreKeptAndComeBack(t *testing.T) {
	saved := map[lifecycle.SessionID]string{}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Drafts = map[lifecycle.SessionID]string{"audit": "look at"}
		o.SaveDraft = func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
			saved[session] = text
			return nil
		}
	})
	s.ask("go")
	s.delegate("audit", true)
	s.typed("to the parent")
	s.keys("tab")
	require.Equal(t, "look at", s.line().Text)
	s.typed(" the tests")
	s.send(draftDue{})
	require.Equal(t, map[lifecycle.SessionID]string{root: "to the parent", "audit": "look at the tests"}, saved)
	s.keys("enter")
	s.send(draftDue{})
	require.Equal(t, map[lifecycle.SessionID]string{root: "to the parent", "audit": ""}, saved)
}

func TestWithoutAKeyNothingIsSentAndTheTextStays(t *testing.T) {
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Unready = "ANTHROPIC_API_KEY is not set: set it and start Pawl again (pawl doctor shows what is set)"
	})
	require.Contains(t, s.text(), "ANTHROPIC_API_KEY is not set")
	s.typed("hello")
	s.keys("enter")
	require.Empty(t, s.route.taken())
	require.Equal(t, "hello", s.line().Text)
	require.Contains(t, s.text(), "not sent; your text is still here")
	require.Contains(t, s.text(), "ANTHROPIC_API_KEY is not set", "for as long as it is so")
}

func TestWeakProtectionIsSaidOnceInOneLine(t *testing.T) {
	const words = "held by process groups · pawl doctor says what that leaves out"
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.Unprotected = func() string { return words } })
	s.carryOut(s.askProtection())
	require.Equal(t, 1, strings.Count(s.text(), words))
	s.ask("go")
	require.NotContains(t, s.text(), words)
}

func TestCardKeys(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", false)
	s.delegate("count", false)
	s.keys("down", "down", "b", "x", "x")
	require.Equal(t, []lifecycle.Command{
		lifecycle.Detach{Session: "count"}, lifecycle.Stop{Session: "count", Cause: byKey},
	}, s.route.taken())
	s.keys("r")
	require.Equal(t, "r", s.line().Text, "nothing to continue: it is text, but must be the focus along")
	require.Equal(t, atComposer, s.at())
	s.keys("backspace", "down", "down")
	s.log("count", "run count", lifecycle.Overdue{After: 10 * time.Minute},
		lifecycle.PermissionDenied{Tool: "shell", Subject: "ls", By: "nobody", Reason: "nobody to ask"})
	require.Contains(t, s.text(), "overdue")
	s.keys("w")
	require.NotContains(t, s.text(), "overdue")
	require.Contains(t, s.text(), "1 denied")
	s.keys("g", "g", "g")
	require.Equal(t, []lifecycle.Command{lifecycle.Grant{Session: "count", Deeds: []lifecycle.Deed{{Tool: "shell", Subject: "ls"}}}}, s.route.taken())
	s.end("count", "run count", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	s.keys("r", "m")
	require.Equal(t, []lifecycle.Command{lifecycle.Continue{Session: "count"}}, s.route.taken())
	require.Equal(t, lifecycle.SessionID("count"), s.open)
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Continue{Session: "count"}}, s.route.taken())
	s.keys("tab")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	s.keys("alt+up")
	require.Equal(t, lifecycle.SessionID("count"), s.open)
	s.keys("alt+down")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
}

func TestDetachMovesTheCursorWhereNothingWaits(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("ab")
	s.keys("ctrl+b")
	require.Equal(t, 1, s.line().At)
	s.ask("go")
	s.delegate("audit", false)
	s.keys("ctrl+b")
	require.Equal(t, []lifecycle.Command{lifecycle.DetachForeground{Session: root}}, s.route.taken())
	require.Equal(t, 1, s.line().At)
}

func TestAnswers(t *testing.T) {
	for key, answer := range map[string]lifecycle.Answer{
		"y": {Allow: true, Scope: lifecycle.GrantOnce, By: "person"},
		"a": {Allow: true, Scope: lifecycle.GrantRun, By: "person"},
		"s": {Allow: true, Scope: lifecycle.GrantSession, By: "person"},
		"n": {By: "person"},
	} {
		s := asked(t)
		s.keys(key)
		if answer.Scope == lifecycle.GrantRun || answer.Scope == lifecycle.GrantSession {
			require.Empty(t, s.route.taken(), "it is wider than the call")
			s.keys(key)
		}
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: answer}}, s.route.taken())
	}
}

func TestAQuestionTakesNoLetterFromWhoIsTyping(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.typed("tr")
	s.log(root, "r1", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "ls"}})
	s.keys("y")
	require.Equal(t, "try", s.line().Text)
	require.Contains(t, s.text(), "pause to answer")
	for _, letter := range []string{" ", "t", "h", "i", "s"} { // longer than the first second of the question
		s.pass(settled * 2 / 3)
		s.keys(letter)
	}
	require.Equal(t, "try this", s.line().Text)
	s.pass(settled)
	require.NotContains(t, s.text(), "pause to answer")
	s.keys("y", "1")
	require.Equal(t, "try thisy1", s.line().Text, "while there is text in the line letters and digits are text")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "try thisy1")
	s.keys("ctrl+u", "y")
	require.Equal(t, "y", s.line().Text, "the key that emptied it came just now")
	s.keys("backspace")
	s.pass(settled)
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

// Enter sends what was typed, and answers where the mark was moved.
func TestALineThatWasLeftUnfinishedIsSentUnderAQuestion(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.typed("half a ")
	s.pass(10 * settled) // thinking
	s.log(root, "r1", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q1", Session: root, Run: "r1", Tool: "shell", Subject: "ls"}})
	s.pass(noticed)
	s.keys("s", "enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "half a s"}}, s.route.taken())
	s.typed("more")
	s.keys("right", "enter")
	require.Empty(t, s.route.taken(), "somebody has typed just now")
	s.pass(settled)
	s.keys("left", "enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}}, s.route.taken())
	require.Equal(t, "more", s.line().Text)
}

func TestReturnedMessageIsInTheLineAgain(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	message := lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "and the tests"}
	s.log(root, "r1", lifecycle.MessageQueued{Message: message})
	require.Contains(t, s.text(), "queued: and the tests")
	s.typed("more")
	s.log(root, "r1", lifecycle.MessageWithdrawn{Message: "m", Returned: true, From: lifecycle.FromUser, Text: "and the tests"})
	require.Equal(t, "and the tests\nmore", s.line().Text)
}

func TestEditing(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"cut the word before":   {[]string{"ctrl+w"}, "one two "},
		"cut to the start":      {[]string{"alt+b", "ctrl+u"}, "three"},
		"cut to the end":        {[]string{"alt+b", "alt+b", "ctrl+k"}, "one "},
		"and bring it back":     {[]string{"alt+b", "ctrl+k", "ctrl+a", "ctrl+y"}, "threeone two "},
		"delete at the cursor":  {[]string{"home", "delete", "alt+d"}, " two three"},
		"delete before":         {[]string{"left", "backspace"}, "one two thre"},
		"the end of the line":   {[]string{"ctrl+a", "ctrl+e", "ctrl+h"}, "one two thre"},
		"a character back":      {[]string{"ctrl+b", "ctrl+f", "ctrl+b", "ctrl+d"}, "one two thre"},
		"nothing before it all": {[]string{"ctrl+a", "backspace", "ctrl+w"}, "one two three"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.typed("one two three")
			s.keys(c.keys...)
			require.Equal(t, c.want, s.line().Text)
		})
	}
}

func TestEditingByCharactersAsPeopleSeeThem(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: "e\u0301👨\u200d👩漢"})
	for _, want := range []string{"e\u0301👨\u200d👩", "e\u0301", ""} {
		s.keys("backspace")
		require.Equal(t, want, s.line().Text)
	}
}

func TestRowsKeepTheColumn(t *testing.T) {
	s := newScreen(t, 23, 24)
	s.send(tea.PasteMsg{Content: "a long line that has to be wrapped\nb\nanother one"})
	s.keys("up", "up")
	require.Equal(t, "to be wrapp", s.line().Text[21:s.line().At])
	s.keys("down", "down")
	require.Equal(t, len(s.line().Text), s.line().At)
}

func TestEveryKeyWithAHelpHasAPlace(t *testing.T) {
	seen := map[string]place{}
	for _, g := range table() {
		for _, b := range g.bindings {
			require.NotZero(t, b.at)
			require.NotNil(t, b.do)
			for _, k := range b.keys {
				if b.when == nil {
					require.Zero(t, seen[k]&b.at, "%s means two things at one place", k)
					seen[k] |= b.at
				}
			}
		}
	}
}

// However high and wide the screen is, the status line says what is left of the help.
func TestTheHelpSaysHowMuchIsBelow(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {40, 6}} {
		for _, way := range []string{"?", "tab ?"} {
			s := newScreen(t, size[0], size[1])
			s.ask("go")
			s.delegate("audit", true)
			s.keys(strings.Fields(way)...)
			c, _ := s.stage()
			rows := func() int { s.View(); return s.picture.room }
			below := len(s.helpLines(c)) - rows()
			require.Positive(t, below)
			require.Contains(t, s.text(), fmt.Sprintf("pgdn %d more", below))
			s.keys("down")
			require.Contains(t, s.text(), fmt.Sprintf("pgdn %d more", below-1))
			for range below - 1 {
				s.keys("pgdown")
			}
			require.NotContains(t, s.text(), " more  ")
			require.Contains(t, s.text(), "after ctrl+y: what was")
			s.keys("esc")
			require.Equal(t, s.composing(), s.at())
		}
	}
}

func TestANewcomersKeysComeFirstInTheHelp(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("?")
	for _, words := range []string{"send; a busy session", "a new line", "ctrl+c", "stop this run; idle: clear the line"} {
		require.Contains(t, s.text(), words)
	}
}
