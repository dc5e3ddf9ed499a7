package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// comesUp has a question come in front of what is shown.
func (s *screen) comesUp() {
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{
		ID: "q1", Session: "audit", Run: "run audit", Call: "c", Tool: "shell", Subject: "rm -rf build", Who: "audit",
	}})
}

// Whatever a letter was meant for, it is no yes to a question that came a moment ago.
func TestALetterThatWasMeantForWhatAQuestionCoversIsNoAnswer(t *testing.T) {
	for name, under := range map[string]struct {
		way   []string // into the place
		last  string   // pressed right before the question comes
		place place
		holds func(*screen) string
		want  string
	}{
		"composer":  {nil, "x", atComposer, func(s *screen) string { return s.line().Text }, "xy"},
		"view":      {[]string{"tab"}, "x", atView, func(s *screen) string { return s.line().Text }, "xy"},
		"search":    {[]string{"ctrl+f"}, "x", atSearch, func(s *screen) string { return s.search.line.Text }, "xy"},
		"recall":    {[]string{"ctrl+r"}, "x", atRecall, func(s *screen) string { return s.recalling.Words.Text }, "xy"},
		"list":      {[]string{"ctrl+p"}, "x", atPicker, func(s *screen) string { return s.picker.Words }, "xy"},
		"block":     {[]string{"shift+up"}, "k", atBlock, func(s *screen) string { return s.line().Text }, ""},
		"card":      {[]string{"down"}, "w", atComposer, func(s *screen) string { return s.line().Text }, "wy"},
		"dashboard": {[]string{"ctrl+t", "up"}, "k", atComposer, func(s *screen) string { return s.line().Text }, "y"},
		"help":      {[]string{"?"}, "x", atComposer, func(s *screen) string { return s.line().Text }, "xy"},
	} {
		t.Run(name, func(t *testing.T) {
			s := idle(t)
			s.line().History = []string{"an earlier one, x and y"}
			s.keys(under.way...)
			s.keys(under.last)
			s.comesUp()
			require.Contains(t, s.text(), "rm -rf build")
			require.Contains(t, s.text(), "pause to answer")
			s.keys("y")
			require.Empty(t, s.route.taken())
			require.Equal(t, under.place, s.beneath())
			require.Equal(t, under.want, under.holds(s))
			s.line().Set("")
			s.pass(settled)
			require.Contains(t, s.text(), "rm -rf build")
			s.keys("y")
			require.Len(t, s.route.taken(), 1, "after a pause it is one")
			settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "person"})
			require.Equal(t, under.place, s.at(), "and what it covered has the focus again")
		})
	}
}

// Who reads presses a key of what they read, and the question came a moment before it.
func TestNoKeyAnswersAQuestionBeforeAnybodyCanHaveReadIt(t *testing.T) {
	for _, key := range []string{"y", "n", "enter", "1", "right", "tab", "esc", "ctrl+c"} {
		for name, way := range map[string][]string{"block": {"shift+up"}, "card": {"down"}, "composer": nil, "dashboard": {"ctrl+t"}} {
			if name == "card" && (key == "esc" || key == "ctrl+c") {
				continue // they would stop the run that asks
			}
			t.Run(name+" "+key, func(t *testing.T) {
				s, without := idle(t), idle(t)
				for _, one := range []*screen{s, without} {
					one.keys(way...)
					one.pass(2 * settled)
				}
				s.comesUp()
				require.Contains(t, s.text(), "rm -rf build")
				s.keys(key)
				without.keys(key)
				require.Len(t, s.runs.Questions(), 1)
				require.Equal(t, without.route.taken(), s.route.taken(), "it does what it does without the question")
				require.Equal(t, without.at(), s.beneath())
				require.Equal(t, without.line().Text, s.line().Text)
				s.line().Set("")
				s.pass(settled)
				if s.at() != atQuestion { // on the dashboard that is for who selects the row
					return
				}
				require.NotContains(t, s.text(), "pause to answer")
				s.keys("y")
				require.Len(t, s.route.taken(), 1)
			})
		}
	}
}

func TestALetterForAQuestionThatWasSettledElsewhereIsNoAnswerToTheNext(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.pass(settled)
	settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "rule"})
	require.Contains(t, s.text(), "pause to answer")
	s.keys("y")
	require.Empty(t, s.route.taken())
	s.keys("ctrl+u")
	s.pass(settled)
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

func TestAQuestionThatCameUnderADialogIsNotAnsweredAsThatCloses(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+x")
	s.comesUp()
	s.pass(2 * settled)
	s.keys("esc", "y")
	require.Empty(t, s.route.taken())
	s.keys("ctrl+u")
	s.pass(settled)
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

func TestEnterForACompletionDoesNotSendTheLineAsAQuestionComes(t *testing.T) {
	s := idle(t)
	s.typed("/he")
	require.Equal(t, atCompletion, s.at())
	s.pass(2 * settled)
	s.comesUp()
	s.keys("enter")
	require.Empty(t, s.route.taken())
	require.NotNil(t, s.help, "it takes /help, as without the question")
}

func TestASentenceGoesOnUnderAQuestionWithItsSlips(t *testing.T) {
	s := idle(t)
	s.typed("delete nothin")
	s.comesUp()
	s.typed("n")
	s.keys("backspace")
	s.typed("g but y")
	s.send(tea.PasteMsg{Content: " and n"})
	require.Equal(t, "delete nothing but y and n", s.line().Text)
	s.pass(settled)
	s.send(tea.PasteMsg{Content: "y"})
	require.Equal(t, "delete nothing but y and ny", s.line().Text)
	require.Contains(t, s.text(), "delete nothing but y and ny", "it is seen below the question")
	require.Empty(t, s.route.taken())
}

func TestAPasteCountsAsWriting(t *testing.T) {
	s := idle(t)
	s.send(tea.PasteMsg{Content: "the log says "})
	s.comesUp()
	s.typed("y")
	require.Empty(t, s.route.taken())
	require.Equal(t, "the log says y", s.line().Text)
}

func TestEveryFieldTakesSpacesAndPastes(t *testing.T) {
	for name, field := range map[string]struct {
		way   []string
		holds func(*screen) string
	}{
		"list":   {[]string{"ctrl+p"}, func(s *screen) string { return s.picker.Words }},
		"recall": {[]string{"ctrl+r"}, func(s *screen) string { return s.recalling.Words.Text }},
		"search": {[]string{"ctrl+f"}, func(s *screen) string { return s.search.line.Text }},
	} {
		t.Run(name, func(t *testing.T) {
			s := idle(t)
			s.line().History = []string{"an earlier one"}
			s.keys(field.way...)
			s.typed("a b")
			s.send(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
			s.send(tea.PasteMsg{Content: " c\n\td\x1b[2J\n"})
			require.Equal(t, "a b c d␛[2J", field.holds(s))
			s.keys("ctrl+u")
			require.Empty(t, field.holds(s))
			require.True(t, s.line().Empty())
		})
	}
	s := asked(t)
	s.keys("r")
	s.send(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
	s.typed("a b ")
	s.send(tea.PasteMsg{Content: "c\nd"})
	require.Equal(t, " a b c\nd", s.asking.reason.Text, "a reason has lines")
	require.True(t, s.line().Empty())
}

func TestAFileThatIsPastedIntoAFieldHoldsNothingUp(t *testing.T) {
	words := strings.Repeat("漢字 and some more letters ", 1000)
	for _, way := range []string{"ctrl+p", "ctrl+r", "ctrl+f"} {
		s := idle(t)
		s.line().History = []string{"an earlier one"}
		s.keys(way)
		began := time.Now()
		s.send(tea.PasteMsg{Content: words})
		require.Contains(t, s.text(), "some more letters", way)
		require.Less(t, time.Since(began), longest, way)
	}
}

// What was said while a list stood in front can still be read when it is gone.
func TestWhatIsSaidBehindAListIsReadAfterIt(t *testing.T) {
	s := idle(t)
	for _, way := range [][2]string{{"ctrl+p", "down"}, {"?", "down"}, {"ctrl+x", "down"}} {
		s.keys(way[0])
		s.send(replied{command: lifecycle.Send{Session: root, Text: "hello"}, err: errors.New("disk full")})
		s.keys(way[1], "esc")
		require.Contains(t, s.text(), "not sent: disk full", way[0])
		require.Equal(t, "hello", s.line().Text)
		s.keys("ctrl+u")
		require.NotContains(t, s.text(), "not sent")
	}
	s.keys("ctrl+t")
	s.send(replied{command: lifecycle.Send{Session: root, Text: "hello"}, err: errors.New("disk full")})
	require.Contains(t, s.text(), "not sent: disk full", "the dashboard shows it itself")
}
