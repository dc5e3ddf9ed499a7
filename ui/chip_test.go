package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
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
	require.Equal(t, "why in "+log+"?", s.line().text)
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
			require.Equal(t, c.want, s.line().text)
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
		require.Equal(t, pastedLines("log", 11), s.line().text)
		s.keys("up", "up", "ctrl+k")
		s.typed("mine")
		s.keys("ctrl+o")
		require.Contains(t, s.text(), "› [paste 1: 11 lines]\n")
		require.Contains(t, s.line().text, "log 8\nmine\nlog 10\n", "it keeps what was changed in it")
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
	require.Equal(t, huge, s.line().text)
	require.Empty(t, s.composerOf("audit").chips)
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
	require.Equal(t, log+"why?", s.line().text)
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
	require.Equal(t, "s\ny\n", s.line().text)
}

func TestALongTextSaysWhatItAsksOfAModel(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: strings.Repeat("word ", 10_000)})
	require.Contains(t, s.text(), " about 12k tokens ")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), " 8 of 667 lines · about 12k tokens ")
}

// Whatever is done to a line: the cursor and the folds stand between characters,
// the rows are those of a line that never had others, and all of it can be undone.
func FuzzComposer(f *testing.F) {
	f.Add([]byte("\x00hello world\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Add([]byte("00000 000\x0f\x09\x01")) // a wrap that what came after the next row decided
	f.Add([]byte("\x0e\x0e\x10\x00a\x0f\x0e\x05\x05\x09\x0b\x0d\x0d"))
	f.Fuzz(func(t *testing.T, deeds []byte) {
		c := &composer{goal: -1}
		width := 12
		for _, deed := range deeds {
			c.do(deed)
			require.LessOrEqual(t, c.at, len(c.text))
			_, in := c.fold(c.at)
			require.True(t, !in || c.outside(c.at, 1) == c.at, "the cursor is in a folded paste")
			end := 0
			for _, ch := range c.chips {
				require.LessOrEqual(t, end, ch.start)
				require.Less(t, ch.start, ch.end)
				require.LessOrEqual(t, ch.end, len(c.text))
				end = ch.end
			}
			fresh := &composer{piece: c.piece}
			require.Equal(t, fresh.rows(width), c.rows(width), "%q", c.text)
			c.place(c.rows(width), width)
		}
		for c.undo() {
			c.rows(width)
		}
		if len(deeds) < undoable {
			require.Empty(t, c.text)
			require.Empty(t, c.chips)
		}
	})
}

func (c *composer) do(deed byte) {
	deeds := []func(){
		func() { c.insert("é漢") }, func() { c.insert(" ") }, func() { c.insert("\n") }, func() { c.insert("long words\tin a row ") },
		func() { c.delete(c.before(c.at), c.at, false) }, func() { c.delete(c.at, c.after(c.at), false) },
		func() { c.delete(c.wordLeft(c.at, spaced), c.at, true) }, func() { c.delete(c.at, c.wordRight(c.at, worded), true) },
		func() { c.delete(c.lineStart(c.at), c.at, true) }, func() { c.move(c.before(c.at)) }, func() { c.move(c.lineStart(c.at)) },
		func() { c.vertical(-1, 12) }, func() { c.vertical(1, 12) }, func() { c.recase(strings.ToUpper) },
		func() { c.paste(pastedLines("p", 11)) }, func() { c.paste(strings.Repeat("\u0301q", 1001)) }, c.bringBack, c.bringOlder,
		func() {
			if i, there := c.touched(); there {
				c.turn(i)
			}
		},
		func() { c.move(len(c.text) / 2) },
	}
	if i := int(deed); i < len(deeds) {
		deeds[i]()
		return
	}
	c.insert(string(rune(deed)))
}
