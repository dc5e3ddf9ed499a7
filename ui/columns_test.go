package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

func TestTheFiguresStandRightBehindTheActivity(t *testing.T) {
	for _, width := range []int{80, 120, 200, 300} {
		s := newScreen(t, width, 60)
		manyAtWork(s)
		for _, row := range s.dockLines() {
			require.LessOrEqual(t, draw.Cells(strings.TrimRight(row, " ")), min(width, 140), row)
		}
	}
	s := newScreen(t, 300, 60)
	s.ask("go")
	s.delegate("audit", true)
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit", Run: "run audit", Step: 1, Text: "Reading", OutputTokens: 12, At: s.now}}})
	require.Regexp(t, `^  ⠋ general audit  Reading  [▁-█]{10}  0s  12 tok$`, strings.TrimRight(s.dockLines()[0], " "))
	s = newScreen(t, 300, 60)
	s.ask("go")
	s.delegate("audit", true)
	s.log("audit", "run audit", lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: "80 %"}, lifecycle.Text{Text: "Hm."})
	require.Regexp(t, `general audit  Hm.  budget  ▁`, s.text(), "a short word has room beside a mark")
}

func TestTheFiguresStayWhereTheyAreWhileAnActivityChanges(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	s.delegate("audit", true)
	at := func(text string) int {
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit", Run: "run audit", Step: 1, Text: text, At: s.now}}})
		row := s.dockLines()[0]
		return draw.Cells(row[:strings.Index(row, "▁")])
	}
	long := at("Reading the ledger of the year before last")
	require.Equal(t, long, at("Done."))
	s.pass(10 * time.Second)
	require.Less(t, at("Done."), long, "but not for ever")
	long = at("Reading the ledger of the year before last")
	s.delegate("count", true)
	require.Less(t, at("Done."), long, "they are measured anew when a line comes")
}

var regexpSpark = regexp.MustCompile(`[▁▂▃▄▅▆▇█]{10}`)

func TestTheSparkMovesOnceASecondAtMostAndNotAtAllWithReducedMotion(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		s := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) { o.ReducedMotion = reduced })
		manyAtWork(s)
		if reduced {
			require.NotContains(t, s.text(), "▁")
			continue
		}
		row := func() string { return regexpSpark.FindString(s.dockLines()[0]) }
		before := row()
		require.NotEmpty(t, before)
		tokens := int64(5000)
		for at := s.now.Truncate(time.Second).Add(time.Second); s.now.Add(terminal.Beat).Before(at); {
			s.now = s.now.Add(terminal.Beat)
			tokens += 3000
			s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit refunds", Run: "run audit refunds", Step: 1, Text: "Reading", OutputTokens: tokens, At: s.now}}})
			require.Equal(t, before, row())
		}
		s.pass(time.Second)
		require.NotEqual(t, before, row())
	}
}

func TestWideAndHostileNamesBreakNoColumn(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	for i, name := range []string{"plain", "漢字の監査をする", "\x1b[31mred\x1b[2J\u202eevil", strings.Repeat("very long ", 30)} {
		id := fmt.Sprint("s", i)
		s.log(lifecycle.SessionID(id), lifecycle.RunID("run "+id), lifecycle.Spawned{Spec: lifecycle.Spec{
			Root: root, Parent: root, ParentRun: "r1", Trigger: lifecycle.TriggerAgent, Type: "漢字漢字漢字漢字", Description: name, Background: true,
		}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: lifecycle.SessionID(id), Run: lifecycle.RunID("run " + id), Step: 1, Activity: name + "\x1b]0;x\x07", OutputTokens: 12, At: s.now}}})
	}
	ends := map[int]bool{}
	for _, row := range s.dockLines() {
		ends[draw.Cells(strings.TrimRight(row, " "))] = true
	}
	require.Len(t, ends, 1, s.text())
	require.NotContains(t, s.View().Content, "\x1b[2J")
}
