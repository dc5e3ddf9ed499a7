package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// clipped presses a key and gives what it sends to the clipboard.
func (s *screen) clipped(name string) string {
	_, cmd := s.Update(key(name))
	_, due := s.Update(heldDue{s.holds})
	for _, msg := range batched(tea.Batch(cmd, due)) {
		if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			return fmt.Sprint(msg)
		}
	}
	return ""
}

// batched are the messages of a command, or of several.
func batched(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var all []tea.Msg
	for _, one := range batch {
		all = append(all, batched(one)...)
	}
	return all
}

func TestABlockIsCopiedAsItWasWritten(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.keys("ctrl+up")
	var got []string
	for range 8 {
		got = append(got, s.clipped("y"))
		s.keys("k")
	}
	require.Equal(t, []string{
		"- [x] read\n- [ ] audit\n- [ ] report",
		"a.go:1\nb.go:2",
		"$ go test ./...\nok  a\n--- FAIL: TestRefund\n    refund_test.go:9: got 3\nFAIL\n",
		aDiff,
		"a\nb\nc",
		anAnswer,
		"They want an audit.\nSplit it.",
		"Please audit the refunds.",
	}, got)
	s.keys("j", "j")
	require.Equal(t, "func Refund(n int) int {\n\treturn n // all of it\n}\n", s.clipped("Y"), "with its tab, and without the fence")
	require.Contains(t, s.text(), "copied 3 lines")
	s.keys("up")
	require.Empty(t, s.clipped("Y"))
	require.Contains(t, s.text(), "no code in it")
}

func TestOneBlockIsOpenedAndFoldedByItself(t *testing.T) {
	s := newScreen(t, 80, 40)
	s.worked()
	s.keys("ctrl+up", "up")
	require.NotContains(t, s.text(), "a.go:1")
	s.keys("space")
	require.Contains(t, s.text(), "a.go:1")
	require.NotContains(t, s.text(), "ok  a", "the others stay as they are")
	s.keys("up", "enter")
	require.Contains(t, s.text(), "ok  a")
	s.keys("enter")
	require.NotContains(t, s.text(), "FAIL: TestRefund", "folded to its line")
	require.Contains(t, s.text(), "exit 1")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), "ok  a", "ctrl+o speaks for all")
	s.keys("esc")
	require.Equal(t, atComposer, s.at())
}

func TestTheFocusOnABlockWithoutColour(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	before := s.text()
	s.keys("shift+up")
	require.Contains(t, s.text(), "✓┃todo\n ┃☑ read\n ┃◐ audit")
	s.keys("down")
	require.Equal(t, before, s.text(), "past the newest is the composer, and nothing has moved")
	require.Equal(t, atComposer, s.at())
}

func TestEnterOnADelegationOpensItsSession(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.keys("ctrl+up", "enter")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	require.Equal(t, atView, s.at())
}

// A block that is longer than the screen is scrolled through before the next one has
// the focus, and the one with the focus is always in sight.
func TestTheViewFollowsTheFocus(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	var list strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "- item %d\n", i)
	}
	for i := range 10 {
		s.tool(lifecycle.CallID(fmt.Sprint(i)), "read", fmt.Sprintf("file%d.go", i), lifecycle.ToolOK, agent.PlainView{Text: "a"})
	}
	s.log(root, "r1", lifecycle.Text{Text: list.String()})
	for i := range 30 {
		s.tool(lifecycle.CallID(fmt.Sprint(100+i)), "read", fmt.Sprintf("more%d.go", i), lifecycle.ToolOK, agent.PlainView{Text: "a"})
	}
	s.keys("ctrl+up")
	for _, key := range []string{"up", "down"} {
		items := map[string]bool{}
		for range 60 {
			s.keys(key)
			if s.at() != atBlock {
				break
			}
			text := s.text()
			require.Contains(t, text, "┃")
			for i := range 60 {
				if name := fmt.Sprintf("┃• item %d", i); strings.Contains(text, name+"\n") {
					items[name] = true
				}
			}
		}
		require.Len(t, items, 60, "every line of the long one was in sight on the way "+key)
	}
	require.Equal(t, atComposer, s.at())
	require.False(t, s.view().Held)
}

func TestOtherLettersOnABlockAreForTheComposer(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.keys("ctrl+up", "z")
	require.Equal(t, "z", s.line().Text)
	require.Equal(t, atComposer, s.at())
	s.keys("ctrl+u", "ctrl+up")
	s.send(tea.PasteMsg{Content: "pasted"})
	require.Equal(t, "pasted", s.line().Text, "what is pasted is for the composer")
	require.Equal(t, atComposer, s.at())
}

func TestNewLinesAreCountedWhileTheViewIsHeld(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.keys("pgup")
	require.Contains(t, s.text(), "ctrl+end newest")
	s.send(progress(1, "one\n\ntwo"))
	s.log(root, "r1", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "a\n\nb"})
	require.Contains(t, s.text(), "4 new lines below")
	s.keys("ctrl+end")
	require.NotContains(t, s.text(), "below")
}

func TestWhatIsReadDoesNotScrollAway(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.keys("ctrl+up", "up")
	for i := range 40 {
		s.log(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("line %d", i)})
		require.Contains(t, s.text(), "┃grep Refund")
	}
	s.keys("esc")
	require.Contains(t, s.text(), "new lines below")
}

func TestTheFocusGoesAlongWhereTheViewIsScrolled(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	for i := range 100 {
		s.log(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("line %d", i)})
	}
	s.keys("ctrl+up")
	for _, key := range []string{"pgup", "pgup", "pgdown", "pgdown", "ctrl+home", "pgdown", "ctrl+end"} {
		s.keys(key)
		require.Contains(t, s.text(), "┃", key)
	}
	require.Contains(t, s.text(), "line 99")
	require.False(t, s.view().Held)
}

// What was opened stays open when older records come before it, though all is folded
// anew then; and so does the focus.
func TestOlderRecordsLeaveOpenedBlocksOpen(t *testing.T) {
	whole := newScreen(t, 80, 24)
	whole.worked()
	records := whole.talk(root).Records
	cut := len(records) - 6
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: whole.seq, Runs: []lifecycle.Run{whole.runs.Latest(root)}}
		o.Tail = records[cut:]
	})
	s.keys("ctrl+up")
	for range 10 {
		if !strings.Contains(s.text(), "┃grep") {
			s.keys("up")
		}
	}
	s.keys("enter")
	require.Contains(t, s.text(), "a.go:1")
	s.send(older{session: root, records: records[:cut]})
	require.Contains(t, s.text(), "a.go:1")
	require.Contains(t, s.text(), "┃grep Refund")
}
