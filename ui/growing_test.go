package ui

import (
	"pawl/ui/draw"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// However much of an answer comes at once, it looks the same in the end, and as it does
// in a session that is opened again.
func TestAnAnswerLooksTheSameHoweverItCame(t *testing.T) {
	c := canvasOf(44, draw.Many)
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
	c := canvasOf(44, draw.Plain)
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

func canvasOf(width int, shades draw.Shades) draw.Canvas {
	theme := draw.NewTheme(draw.Tint{Dark: true, Shades: shades})
	return draw.Canvas{Theme: theme, Glyphs: draw.NewGlyphs(false), Markdown: draw.NewProse(theme, false), Width: width}
}
