package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
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
		s.talk(root).close()
		require.Equal(t, before, s.text(), "and its end changes nothing")
	}
}

func drawnMarkdown(text string, width int) string {
	var lines []string
	for _, line := range draw.NewProse(draw.NewTheme(draw.Tint{Dark: true}), false).Render(sanitize.Clean(text), width) {
		lines = append(lines, string(sanitize.Clean(ansi.Strip(string(line)))))
	}
	return strings.Join(lines, "\n")
}

func TestCodeIsBrokenWhereTheScreenEndsWithASign(t *testing.T) {
	require.Equal(t, `  func Refund(ctx context.Context, am
  ↪ ount int64) (int64, error) {
      return amount, nil
  }`, drawnMarkdown("```go\nfunc Refund(ctx context.Context, amount int64) (int64, error) {\n    return amount, nil\n}\n```", 37))
}

func TestAQuoteKeepsItsBarOnEveryLine(t *testing.T) {
	require.Equal(t, `│ quote text that is long enough to
│ be wrapped at forty
│
│ │ and one inside of it that is as
│ │ long`, drawnMarkdown("> quote text that is long enough to be wrapped at forty\n>\n>> and one inside of it that is as long", 37))
}

func TestATableTakesNoMoreRoomThanItNeeds(t *testing.T) {
	const table = "| Name | Count |\n|---|---:|\n| refund.go | 12 |\n| 漢字 and 👍 | 3 |\n"
	for _, line := range strings.Split(drawnMarkdown(table, 200), "\n") {
		require.LessOrEqual(t, draw.Cells(line), 40)
	}
	for width := 1; width < 60; width++ {
		for _, line := range strings.Split(drawnMarkdown(table, width), "\n") {
			require.LessOrEqual(t, draw.Cells(line), max(width, 2), "one character may need two")
		}
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
		short, long := cost(2*renderedOpen), cost(16*renderedOpen)
		require.Less(t, long, 1.5*short, name)
	}
}

// However much of an answer comes at once, it looks the same in the end, and as it does
// in a session that is opened again.
func TestAnAnswerLooksTheSameHoweverItCame(t *testing.T) {
	c := newScreen(t, 44, 20, func(_ *Options, term *terminal.Features) { term.Colour = true }).canvas()
	scraps := []string{"words\n", "\n", "\n", "- ", "1. ", "  ", "    ", "```go\n", "```\n", "~~~\n", "> ", "# ", "| a | b |\n|---|---|\n", "- ```sh\n", "   ```\n", "***\n", "\tx := 1\n", ": means\n", "---\n", "[a]: b\n"}
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 40).Draw(r, "text"), "")
		writing := &block{kind: answer, open: true}
		for i := 0; i < len(text); i += rapid.IntRange(1, 30).Draw(r, "step") {
			writing.live = text[:i]
			writing.changed()
			writing.lines(c, nil)
		}
		writing.text, writing.open = text, false
		writing.changed()
		require.Equal(r, (&block{kind: answer, text: text}).lines(c, nil), writing.lines(c, nil), "%q", text)
	})
}

// A fence of an item ends where the item does: the next one begins another block.
func TestAFenceThatAnItemEndsIsDrawnAsOneThatCameWhole(t *testing.T) {
	c := newScreen(t, 44, 20).canvas()
	for _, text := range []string{"- words\n   ```\n```\n\n| a | b |\n|---|---|\n", "1. words\n   ~~~\nback\n\n# head\n", ": means\n   ```\n```\n\nwords\n"} {
		writing := &block{kind: answer, open: true}
		for i := range text {
			writing.live = text[:i]
			writing.changed()
			writing.lines(c, nil)
		}
		writing.text, writing.open = text, false
		writing.changed()
		require.Equal(t, (&block{kind: answer, text: text}).lines(c, nil), writing.lines(c, nil), "%q", text)
	}
}

func TestCodeIsCopiedAsItWasMeant(t *testing.T) {
	const text = "1. ```sh\n   make\n\n     all\n   ```\n2. then\n\n  ```\n  a\n b\n  ```\n- ```\n  c\nend ```\n"
	require.Equal(t, "make\n\n  all\n\na\nb\n\nc\n", codeOf(text))
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
