package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

func progress(step int, text string) lifecycle.Updates {
	return lifecycle.Updates{Progress: []lifecycle.Progress{{Session: root, Run: "r1", Step: step, Text: text}}}
}

func TestProgressRunsAheadOfTheRecords(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.send(progress(1, "one two"))
	require.Contains(t, s.text(), "one two")
	s.log(root, "r1", lifecycle.Text{Text: "one "})
	require.Contains(t, s.text(), "one two", "the record is behind: the newer stands")
	s.log(root, "r1", lifecycle.Text{Text: "two three"}, lifecycle.StepStarted{Step: 2})
	s.send(progress(1, "one two three four"))
	require.NotContains(t, s.text(), "four", "the step has ended")
	require.Equal(t, 1, strings.Count(s.text(), "one two three"))
}

func TestADiscardedAttemptIsTakenBack(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", lifecycle.Text{Text: "half an ans"})
	s.send(progress(1, "half an answer"))
	s.send(lifecycle.Updates{
		Records:  s.records(root, "r1", lifecycle.Waiting{Why: "overloaded; asking again in 2s", Attempt: 1, Discarded: true}),
		Progress: []lifecycle.Progress{{Session: root, Run: "r1", Step: 1}},
	})
	require.NotContains(t, s.text(), "half an")
	require.Contains(t, s.text(), "overloaded")
	s.send(progress(1, "new"))
	require.Contains(t, s.text(), "new")
}

func TestARecordTwiceChangesNothing(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	before := s.runs.Latest(root)
	require.NoError(t, s.runs.Apply(lifecycle.Record{Seq: 2, Session: root, Run: "r1", Event: lifecycle.Started{}}))
	require.Equal(t, before, s.runs.Latest(root))
}

func TestALogThatDoesNotAddUpIsSaid(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(lifecycle.Updates{Records: s.records(root, "r1", lifecycle.Text{Text: "from nowhere"})})
	require.Contains(t, s.text(), "the session log is inconsistent")
}

func TestACallLeftOpenEndsWithItsRun(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", lifecycle.ToolStarted{Call: "c", Tool: "shell", Label: "sleep 9"},
		lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	require.Contains(t, s.text(), "■ shell sleep 9")
	require.False(t, s.moving())
}

func TestOneLineForEachEndThatWasTold(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.log("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.NotificationQueued{})
	require.Contains(t, s.text(), "not delivered")
	records := s.records(root, "r1", lifecycle.StepStarted{Step: 2})
	records = append(records, s.records("audit", "run audit", lifecycle.NotificationDelivered{InRun: "r1", Step: 2}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})...)
	s.send(lifecycle.Updates{Records: records})
	require.Equal(t, 1, strings.Count(s.text(), `Agent "audit" completed · delivered · step 2`))
	require.NotContains(t, s.text(), "not delivered")
}

func TestTheClockStandsStillWhenNothingMoves(t *testing.T) {
	s := newScreen(t, 80, 24)
	require.False(t, s.clock.Running)
	s.ask("go")
	require.True(t, s.clock.Running)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted})
	s.pass(terminal.Beat)
	require.False(t, s.clock.Running)
}

func TestThePictureIsKeptWhileNothingChanges(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.View()
	drawn := s.picture.drawns
	s.View()
	s.send(draftDue{})
	s.View()
	require.Equal(t, drawn, s.picture.drawns)
	s.typed("x")
	s.View()
	require.Equal(t, drawn+1, s.picture.drawns)
}

// writtenParts are parts of answers, and what only looks like one.
var writtenParts = []string{
	"A paragraph of words.\n\n", "# Title\n\n", "- one\n- two\n\n", "- one\n\n- two\n\n", "1. a\n\n   more\n\n2. b\n\n",
	"```go\nfunc a() {\n\n}\n```\n\n", "> quoted\n\n", "| a |\n|---|\n| b |\n\n", "last",
	"-\n\n", "-\ttab\n\n", "+ plus\n\n", "3) three\n\n", "12. twelve\n", ": meaning\n\n", "word\n\n: meaning\n\n", "\n", "\n \n\t\n", "    code\n\n", "\u00a0\u3000more\n\n", "\tmore\n\n",
	"- a\n  ```\n  b\n\n  c\n  ```\n\n", "- ```\n\n", "> ```\n> a\n\n", "```\n", "~~~\n", "``` a`b\n", "---\n\n", "===\n", "[a]: https://b.c\n\n", "see [a]\n\n", "text\r\n\r\n", "\v\n\n", "\u2028\n", "<div>\n\n</div>\n\n", "<!-- a\n\nb -->\n\n",
}

// An answer that came piece by piece looks like one that came at once.
func TestAGrowingAnswerEndsAsTheWhole(t *testing.T) {
	c := newScreen(t, 60, 20).canvas()
	rapid.Check(t, func(r *rapid.T) {
		whole := strings.Join(rapid.SliceOfN(rapid.SampledFrom(writtenParts), 1, 8).Draw(r, "parts"), "")
		grown := &transcript.Block{Kind: transcript.Answer, Open: true}
		for i := 0; i < len(whole); i += rapid.IntRange(1, 30).Draw(r, "step") {
			grown.Live = whole[:i]
			grown.Changed()
			grown.Lines(c, nil)
		}
		grown.Text, grown.Open = whole, false
		grown.Changed()
		once := &transcript.Block{Kind: transcript.Answer, Text: whole}
		require.Equal(r, once.Lines(c, nil), grown.Lines(c, nil))
	})
}

// plainLines leaves out the blank lines.
func plainLines(lines []draw.Styled) []string {
	var kept []string
	for _, line := range lines {
		if !draw.Blank(string(line)) {
			kept = append(kept, strings.TrimRight(string(line), " "))
		}
	}
	return kept
}

func TestMarkdownShowsWhatWasWritten(t *testing.T) {
	m := draw.NewProse(draw.NewTheme(draw.Tint{Dark: true}), false)
	render := func(text string) string {
		var b strings.Builder
		for _, line := range m.Render(sanitize.Clean(text), 60) {
			b.WriteString(string(line) + "\n")
		}
		return b.String()
	}
	require.Contains(t, render("Use Vec<String> & co; &lt; stays."), "Use Vec<String> & co; &lt; stays.")
	require.Contains(t, render("<task>do it</task>"), "<task>do it</task>")
	require.Contains(t, render("&#27;[2J"), "&#27;[2J")
	require.Contains(t, render("```\na && b < c &#27;\n```"), "a && b < c &#27;")
	require.NotContains(t, render("[x](https://evil.example)"), "\x1b]")
}

// The model may be silent for a while after them.
func TestOlderRecordsTakeNothingAwayOfWhatIsBeingWritten(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", lifecycle.StepStarted{Step: 2})
	talk := transcript.NewConversation(root, s.runs)
	all := s.talk(root).Records
	for _, rec := range all[1:] {
		talk.Fold(rec)
	}
	talk.Progress(lifecycle.Progress{Session: root, Run: "r1", Step: 2, Thinking: "what a ledger is"}, s.now)
	talk.Progress(lifecycle.Progress{Session: root, Run: "r1", Step: 2, Text: "A ledger is"}, s.now)
	talk.Prepend(all[:1])
	require.Equal(t, []string{"go", "what a ledger is", "A ledger is"}, textsOf(talk))
	require.False(t, talk.Thinking.Open, "what was thought stands above what is written")
	talk.Progress(lifecycle.Progress{Session: root, Run: "r1", Step: 2, Text: "A ledger is a book"}, s.now)
	require.Equal(t, []string{"go", "what a ledger is", "A ledger is a book"}, textsOf(talk))
}

func textsOf(talk *transcript.Conversation) []string {
	var texts []string
	for _, b := range talk.Blocks {
		texts = append(texts, b.Whole())
	}
	return texts
}
