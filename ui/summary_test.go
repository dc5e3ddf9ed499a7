package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// summarizes shows the newest run of the root 12 s after it began to summarize, with so many tokens.
func (s *screen) summarizes(tokens int64) {
	run := s.runs.Latest(root)
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{
		Session: root, Run: run.ID, Step: run.Step, At: s.now,
		Activity: "summarizing the conversation", OutputTokens: tokens, Summarizing: s.now.Add(-12 * time.Second),
	}}})
}

// summaryLine is the line that says that the conversation is summarized.
func (s *screen) summaryLine() string {
	for line := range strings.SplitSeq(s.text(), "\n") {
		if strings.Contains(line, "summarizing the conversation") {
			_, said, _ := strings.Cut(strings.TrimRight(line, " "), "summarizing")
			return said
		}
	}
	return ""
}

func TestASummarysBarMovesAsItsTokensComeAndClaimsNoShare(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.summing("sum", "")
	s.pass(time.Minute)
	s.summarizes(0)
	require.Regexp(t, `^ the conversation  ━+─+  12s +esc stops$`, s.summaryLine(), "nothing has come yet")
	seen := map[string]bool{}
	for tokens := int64(0); tokens < 2000; tokens += 16 {
		s.summarizes(tokens)
		bar := strings.Fields(s.summaryLine())[2]
		require.Equal(t, 10, strings.Count(bar, "━"), "it never grows: nobody knows how long the summary will be")
		seen[bar] = true
	}
	require.Len(t, seen, 31, "to and fro over all of the bar")
	require.NotContains(t, s.summaryLine(), "%")
	require.Contains(t, s.summaryLine(), "12s · ↓ 2.0k tok")
}

func TestASummarysBarStandsWhileNothingComes(t *testing.T) {
	s := idle(t)
	s.summing("sum", "")
	s.summarizes(500)
	before := strings.Fields(s.summaryLine())[2]
	s.pass(30 * time.Second)
	line := s.summaryLine()
	require.Equal(t, before, strings.Fields(line)[2])
	require.Contains(t, line, "  42s · ↓ 500 tok", "the time goes on")
}

func TestWithReducedMotionASummaryIsToldInFiguresAlone(t *testing.T) {
	s := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) { o.ReducedMotion = true })
	s.summing("sum", "")
	s.summarizes(500)
	require.Regexp(t, `^ the conversation  12s · ↓ 500 tok +esc stops$`, s.summaryLine())
}

func TestANarrowScreenKeepsTheFiguresOfASummaryBeforeItsBar(t *testing.T) {
	for width, bar := range map[int]bool{120: true, 80: true, 60: false, 40: false} {
		s := newScreen(t, width, 24)
		s.summing("sum", "")
		s.summarizes(500)
		require.Equal(t, bar, strings.Contains(s.summaryLine(), "━"), width)
		require.Contains(t, s.text(), "12s · ↓ 500 tok", width)
	}
}

func TestASummaryThatIsAskedForAgainSaysSoUntilItsAnswerComes(t *testing.T) {
	s := idle(t)
	s.summing("sum", "")
	s.summarizes(500)
	s.log(root, "sum", lifecycle.Waiting{Why: "slow down (HTTP 429); asking again in 40s", For: 40 * time.Second, Attempt: 1})
	s.summarizes(0)
	require.Empty(t, s.summaryLine())
	require.Contains(t, s.text(), "slow down (HTTP 429), again in 40s")
	s.pass(40 * time.Second)
	s.summarizes(30)
	require.Contains(t, s.summaryLine(), "━")
}

func TestAStoppedSummaryShowsNoBar(t *testing.T) {
	s := idle(t)
	s.summing("sum", "")
	s.summarizes(500)
	s.log(root, "sum", lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	require.Empty(t, s.summaryLine())
	require.Contains(t, s.text(), "stopping")
	s.log(root, "sum", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	require.NotContains(t, s.text(), "━")
}

// A summary within a run is told by its own time, not by the run's.
func TestASubagentsSummaryHasItsBarInItsView(t *testing.T) {
	s := idle(t)
	s.keys("tab")
	s.pass(10 * time.Minute)
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{
		Session: "audit", Run: "run audit", Step: s.runs.Latest("audit").Step, At: s.now,
		Activity: "summarizing the conversation", OutputTokens: 100, Summarizing: s.now.Add(-3 * time.Second),
	}}})
	require.Regexp(t, `summarizing the conversation  ─+━+─+  3s · ↓ 100 tok`, s.text())
}
