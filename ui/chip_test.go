package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// pastedLines is a paste of so many lines, each with its number.
func pastedLines(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", name, i)
	}
	return b.String()
}

func TestALongPasteIsOneCharacterAndGoesOutWhole(t *testing.T) {
	s := newScreen(t, 80, 24)
	log := pastedLines("log", 10_000)
	s.typed("why ")
	s.send(tea.PasteMsg{Content: log})
	s.typed("?")
	require.Contains(t, s.text(), "› why [paste 1: 10,000 lines]?\n")
	s.keys("left", "left")
	s.typed("in ")
	require.Contains(t, s.text(), "› why in [paste 1: 10,000 lines]?\n")
	s.keys("ctrl+e", "enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "why in " + log + "?"}}, s.route.taken())
	s.keys("up")
	require.Contains(t, s.text(), "› why in [paste 1: 10,000 lines]?\n", "the history has it, folded")
	require.Equal(t, "why in "+log+"?", s.line().Text)
}

func TestAPasteStaysFoldedInTheConversationAndOpens(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("why ")
	s.send(tea.PasteMsg{Content: pastedLines("log", 30)})
	s.typed(" and ")
	s.send(tea.PasteMsg{Content: pastedLines("漢", 12)})
	s.keys("enter")
	s.ask(s.route.taken()[0].(lifecycle.Send).Text)
	folded := "› why [paste 1: 30 lines] and [paste 2: 12 lines]\n"
	require.Contains(t, s.text(), folded)
	s.keys("ctrl+o")
	require.Contains(t, s.text(), "漢 11")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), folded)
	s.clickOn("paste 1")
	require.Contains(t, s.text(), "漢 11", "a click opens it")
	s.keys("ctrl+up", "enter")
	require.Contains(t, s.text(), strings.TrimPrefix(folded, "› "), "and Enter on the block folds it")
	s.keys("y")
	require.Contains(t, s.text(), "copied 42 lines", "all of it is copied")
}

func TestALongMessageIsCutUntilItIsOpened(t *testing.T) {
	s := newScreen(t, 80, 60)
	s.ask(strings.TrimSpace(pastedLines("line", 40))) // by another program, so nothing is known of a paste
	require.Contains(t, s.text(), "line 18\n  … 21 more lines (ctrl+o)\n")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), "line 39\n")
}

func TestALongMessageIsBoldInItsFirstLineAlone(t *testing.T) {
	bold := func(lines int) (rows int) {
		s := newScreen(t, 80, 24)
		s.ask(strings.TrimSpace(pastedLines("line", lines)))
		for row := range strings.SplitSeq(picturetest.Draw(s.View().Content, 80, 24).Styles(), "\n") {
			if strings.Contains(row, "bold") && strings.Contains(row, "line ") {
				rows++
			}
		}
		return rows
	}
	require.Equal(t, 3, bold(3))
	require.Equal(t, 1, bold(4))
}

func TestKeysTakeAFoldedPasteAsAWhole(t *testing.T) {
	log := pastedLines("log", 20)
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"delete before":        {[]string{"backspace"}, "a b "},
		"delete behind":        {[]string{"left", "delete"}, "a b "},
		"the word before":      {[]string{"ctrl+w"}, "a b "},
		"the word after":       {[]string{"left", "alt+d"}, "a b "},
		"a word back":          {[]string{"alt+b", "ctrl+k"}, "a b "},
		"the line before":      {[]string{"ctrl+u"}, ""},
		"the start of line":    {[]string{"ctrl+a", "delete"}, " b " + log},
		"the end of the line":  {[]string{"ctrl+a", "ctrl+k"}, ""},
		"and brought back":     {[]string{"ctrl+w", "ctrl+a", "ctrl+y"}, log + "a b "},
		"no capitals in it":    {[]string{"left", "alt+u"}, "a b " + log},
		"deleted and undone":   {[]string{"backspace", "ctrl+_"}, "a b " + log},
		"undone altogether":    {[]string{"ctrl+_"}, "a b "},
		"cleared and undone":   {[]string{"esc", "ctrl+_"}, "a b " + log},
		"cleared and restored": {[]string{"esc", "ctrl+y"}, "a b " + log},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.typed("a b ")
			s.send(tea.PasteMsg{Content: log})
			s.keys(c.keys...)
			require.Equal(t, c.want, s.line().Text)
			require.Equal(t, strings.Contains(c.want, log), strings.Contains(s.text(), "[paste 1: 20 lines]"))
		})
	}
}

func TestAKeyOrTheSamePasteOpensAFoldedOne(t *testing.T) {
	for _, open := range []func(*screen){
		func(s *screen) { s.keys("ctrl+o") },
		func(s *screen) { s.send(tea.PasteMsg{Content: pastedLines("log", 11)}) },
	} {
		s := newScreen(t, 80, 40)
		s.send(tea.PasteMsg{Content: pastedLines("log", 11)})
		require.Contains(t, s.text(), "ctrl+o opens the paste")
		open(s)
		require.Contains(t, s.text(), "  log 9\n")
		require.Equal(t, pastedLines("log", 11), s.line().Text)
		s.keys("up", "up", "ctrl+k")
		s.typed("mine")
		s.keys("ctrl+o")
		require.Contains(t, s.text(), "› [paste 1: 11 lines]\n")
		require.Contains(t, s.line().Text, "log 8\nmine\nlog 10\n", "it keeps what was changed in it")
	}
	s := newScreen(t, 80, 24)
	s.keys("ctrl+o")
	require.True(t, s.details, "elsewhere the key is that of the conversation")
}

func TestPastesAreToldApart(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: pastedLines("one", 12)})
	s.send(tea.PasteMsg{Content: strings.Repeat("x", 2001)})
	s.send(tea.PasteMsg{Content: "short"})
	require.Contains(t, s.text(), "[paste 1: 12 lines][paste 2: 2,001 characters]short\n")
}

func TestAHugeDraftComesBackFoldedAndATypedOneAsItWas(t *testing.T) {
	huge, typed := pastedLines("log", 101), pastedLines("mine", 40)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Drafts = map[lifecycle.SessionID]string{root: huge, "audit": typed}
	})
	require.Contains(t, s.text(), "› [paste 1: 101 lines]\n")
	require.Equal(t, huge, s.line().Text)
	require.Empty(t, s.composerOf("audit").Chips)
}

func TestAFailedSendGivesThePasteBack(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.route.err = errors.New("disk full")
	log := pastedLines("log", 50)
	s.send(tea.PasteMsg{Content: log})
	s.typed("why?")
	s.keys("enter")
	require.Contains(t, s.text(), "not sent: disk full")
	require.Contains(t, s.text(), "› [paste 1: 50 lines]why?\n")
	require.Equal(t, log+"why?", s.line().Text)
}

func TestAPasteIsNoAnswer(t *testing.T) {
	s := asked(t)
	s.pass(settled)
	s.send(tea.PasteMsg{Content: "y\ns\na\n"})
	require.Empty(t, s.route.taken())
	s = idle(t)
	s.keys("ctrl+x")
	require.Equal(t, atDialog, s.at())
	s.send(tea.PasteMsg{Content: "s\ny\n"})
	require.Empty(t, s.route.taken())
	require.Equal(t, atComposer, s.at(), "it is text, and the dialog gives way")
	require.Equal(t, "s\ny\n", s.line().Text)
}

func TestALongTextSaysWhatItAsksOfAModel(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: strings.Repeat("word ", 10_000)})
	require.Contains(t, s.text(), " about 12k tokens ")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), " 8 of 667 lines · about 12k tokens ")
}
