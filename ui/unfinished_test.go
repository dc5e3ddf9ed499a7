package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/transcript"
)

// Whatever an answer is in the middle of, what stands on the screen stays where it
// stands: no line goes away, and code is at its place before its fence is closed.
func TestNothingJumpsWhileAnAnswerIsWritten(t *testing.T) {
	const text = "Intro:\n\n| Name | Count |\n|---|---:|\n| refund.go | 12 |\n| ledger.go | 3 |\n\nThen code:\n\n```go\nfunc a() {\n\treturn 1\n}\n```\n\n- one\n- two\n  - three\n\n~~~\nplain\n~~~\n\n1. run\n   ```sh\n   make all\n   ```\n2. then\n\nend"
	for _, width := range []int{40, 60} {
		s := newScreen(t, width, 40)
		s.ask("go")
		lines, code := 0, map[string]int{}
		for i := width / 40; i < len(text); i += 2 { // one half of all moments each
			s.send(progress(1, text[:i+1]))
			shown, _, _ := strings.Cut(s.text(), "⠋")
			require.NotContains(t, shown, "``", "after %q", text[:i+1])
			require.NotContains(t, shown, "|", "after %q", text[:i+1])
			all := strings.Split(strings.TrimRight(shown, " \n"), "\n")
			require.GreaterOrEqual(t, len(all), lines, "after %q", text[:i+1])
			lines = len(all)
			for row, line := range all {
				for _, words := range []string{"func a() {", "return 1", "    plain", "make all"} {
					if was, known := code[words]; strings.Contains(line, words) && known {
						require.Equal(t, was, row, "%s after %q", words, text[:i+1])
					} else if strings.Contains(line, words) {
						code[words] = row
					}
				}
			}
		}
		require.Len(t, code, 4)
		s.send(progress(1, text))
		before := s.text()
		s.log(root, "r1", lifecycle.Text{Text: text})
		s.talk(root).Close()
		require.Equal(t, before, s.text(), "and its end changes nothing")
	}
}

// A token of a long answer costs no more than one of a short one, whatever stands in it.
func TestWhatStandsAboveInAnAnswerIsNotDrawnAgainForEachToken(t *testing.T) {
	for name, piece := range map[string]string{
		"links": strings.Repeat("see https://go.dev/doc/ there ", 14) + "\n\n",
		"code":  "\tfmt.Println(\"a line of a file that is written whole\")\n",
		"list":  "- an item of a list that goes on, with **weight**\n",
	} {
		cost := func(bytes int) float64 {
			s := newScreen(t, 120, 40, withLinks)
			s.ask("go")
			text := "go\n\n"
			if name == "code" {
				text = "```go\n"
			}
			text += strings.Repeat(piece, bytes/len(piece))
			s.Update(progress(1, text))
			s.View()
			return testing.AllocsPerRun(10, func() {
				text += "token "
				s.Update(progress(1, text))
				s.View()
			})
		}
		short, long := cost(2*transcript.RenderedOpen), cost(16*transcript.RenderedOpen)
		require.Less(t, long, 1.5*short, name)
	}
}

// The first word of an answer may stand deep: that is code, and stays where it is.
func TestAnAnswerThatBeginsDeepIsCode(t *testing.T) {
	s := newScreen(t, 40, 20)
	s.ask("go")
	s.send(progress(1, "    four\n    spaces\n"))
	require.Contains(t, s.text(), "    four\n    spaces\n")
}

func TestAnItemStandsBelowItsBeginningWhileItIsWritten(t *testing.T) {
	for _, item := range []string{"- ", "10. "} {
		s := newScreen(t, 40, 20)
		s.ask("go")
		text := item + "words that go on for longer than the screen is wide"
		s.send(progress(1, text))
		writing, _, _ := strings.Cut(s.text(), "⠋")
		s.send(progress(1, text+"\n"))
		whole, _, _ := strings.Cut(s.text(), "⠋")
		require.Equal(t, whole, writing)
	}
}
