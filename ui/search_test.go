package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// sought opens the search and types.
func (s *screen) soughtFor(text string) string {
	s.keys("ctrl+f")
	s.typed(text)
	return s.text()
}

func TestASearchOpensTheBlockThatHoldsTheMatchAndFoldsItAgain(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	require.NotContains(t, s.text(), "b.go:2")
	require.Contains(t, s.soughtFor("B.GO"), "not found", "a capital asks for capitals")
	s.keys("ctrl+u")
	s.typed("b.go")
	require.Contains(t, s.text(), "b.go:2")
	require.Contains(t, s.text(), "1/1")
	s.keys("ctrl+w")
	s.typed("fail")
	require.NotContains(t, s.text(), "b.go:2", "it is folded again")
	require.Contains(t, s.text(), "2/2")
	s.keys("up")
	require.Contains(t, s.text(), "1/2")
	s.keys("enter")
	require.Contains(t, s.text(), "2/2", "around the end")
	s.keys("shift+enter", "down")
	require.Contains(t, s.text(), "2/2")
	s.keys("backspace", "backspace")
	require.Contains(t, s.text(), "/ fa")
	s.keys("esc")
	require.Equal(t, atComposer, s.at())
	require.Contains(t, s.text(), "Ask Pawl anything")
}

func TestMatchesAreSeenWithoutColourAlsoWhereTheyAreWrapped(t *testing.T) {
	s := newScreen(t, 40, 20)
	s.ask("go")
	s.log(root, "r1", lifecycle.Text{Text: "Some **words** that are so many that the Needle in the hay stands over two lines."})
	s.soughtFor("that the needle in the hay")
	var lit []string
	for line := range strings.SplitSeq(s.View().Content, "\n") {
		if _, rest, ok := strings.Cut(line, "\x1b[7m"); ok {
			part, _, _ := strings.Cut(rest, "\x1b[27m")
			lit = append(lit, ansi.Strip(part))
		}
	}
	require.Equal(t, "that the Needle in the hay", strings.Join(lit, " "))
	require.Greater(t, len(lit), 1)
	require.Contains(t, s.text(), "1/1")
}

func TestNGoesOnFromBlockToBlock(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	for i := range 40 {
		s.tool(lifecycle.CallID(fmt.Sprint(i)), "read", fmt.Sprintf("file%d.go", i), lifecycle.ToolOK, agent.PlainView{Text: strings.Repeat("needle\n", i%10/9)})
	}
	s.keys("ctrl+up", "n")
	require.Contains(t, s.text(), "no search yet")
	s.keys("/")
	s.typed("needle")
	s.keys("esc")
	name := func() string { return s.reader.block.Label }
	require.Equal(t, "file39.go", name())
	s.keys("n")
	require.Equal(t, "file29.go", name())
	require.Contains(t, s.text(), "┃read file29.go")
	s.keys("n", "n", "n")
	require.Equal(t, "file39.go", name())
	s.keys("N")
	require.Equal(t, "file9.go", name())
}

// All of a long session is searched, though the screen has read little of it.
func TestASearchReadsTheOlderRecords(t *testing.T) {
	whole := newScreen(t, 80, 24)
	whole.ask("the first needle")
	for i := range 10_000 {
		whole.takeUpdates(lifecycle.Updates{Records: whole.records(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("message %d", i)})})
	}
	records := whole.talk(root).Records
	reads := 0
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: whole.seq, Runs: []lifecycle.Run{whole.runs.Latest(root)}}
		o.Tail = records[len(records)-400:]
		o.Older = func(_ context.Context, _ lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			reads++
			at := int(before) - 1
			return records[max(0, at-limit):at], nil
		}
	})
	s.keys("ctrl+f")
	require.Less(t, reads, 2)
	_, cmd := s.Update(key("x"))
	require.Contains(t, s.text(), "searching older…")
	s.carryOut(cmd)
	s.keys("backspace")
	began := time.Now()
	s.typed("needle")
	require.Contains(t, s.text(), "1/1")
	require.Contains(t, s.text(), "the first needle")
	require.Less(t, time.Since(began), longest, "six keys")
	require.Equal(t, 20_000/searchedAtOnce, reads)
}

func TestCtrlHomeGoesToTheVeryFirstLine(t *testing.T) {
	whole := newScreen(t, 80, 24)
	whole.ask("the very first")
	for i := range 5000 {
		whole.takeUpdates(lifecycle.Updates{Records: whole.records(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("message %d", i)})})
	}
	records := whole.talk(root).Records
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: whole.seq, Runs: []lifecycle.Run{whole.runs.Latest(root)}}
		o.Tail = records[len(records)-400:]
		o.Older = func(_ context.Context, _ lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			at := int(before) - 1
			return records[max(0, at-limit):at], nil
		}
	})
	s.keys("ctrl+up", "space", "ctrl+home")
	require.Contains(t, s.text(), "the very first")
	require.Equal(t, atBlock, s.at())
	s.keys("ctrl+end", "esc")
	require.Contains(t, s.text(), "message 4999")
}
