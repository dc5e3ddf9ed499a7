package transcript

import (
	"strings"
	"testing"

	"pawl/ui/draw"

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
		writing := &Block{Kind: Answer, Open: true}
		for i := 0; i < len(text); i += rapid.IntRange(1, 30).Draw(r, "step") {
			writing.Live = text[:i]
			writing.Changed()
			writing.Lines(c, nil)
		}
		writing.Text, writing.Open = text, false
		writing.Changed()
		require.Equal(r, (&Block{Kind: Answer, Text: text}).Lines(c, nil), writing.Lines(c, nil), "%q", text)
	})
}

// A fence of an item ends where the item does: the next one begins another block. Its end may be
// indented by three from the item's text, that of any other fence by three from the margin.
func TestAFenceWithItsEndIsDrawnAsOneThatCameWhole(t *testing.T) {
	for _, text := range []string{"- words\n   ```\n```\n\n| a | b |\n|---|---|\n", "1. words\n   ~~~\nback\n\n# head\n", ": means\n   ```\n```\n\nwords\n", "   ```\n    ```\n\n| a | b |\n|---|---|\n", "- words\n   ```\n     ```\n\n# head\n"} {
		drawnAsItCameWhole(t, text)
	}
}

// What follows a definition may be the next term: a table's head is one if a definition follows.
func TestATermAfterADefinitionIsDrawnAsOneThatCameWhole(t *testing.T) {
	drawnAsItCameWhole(t, "words\n: means\n\n| a | b |\n|---|---|\n: means\n")
	drawnAsItCameWhole(t, "words\n: means\n\n    more\n\n| a | b |\n|---|---|\n: means\n\n# head\n")
}

func drawnAsItCameWhole(t *testing.T, text string) {
	t.Helper()
	c := canvasOf(44, draw.Plain)
	writing := &Block{Kind: Answer, Open: true}
	for i := range text {
		writing.Live = text[:i]
		writing.Changed()
		writing.Lines(c, nil)
	}
	writing.Text, writing.Open = text, false
	writing.Changed()
	require.Equal(t, (&Block{Kind: Answer, Text: text}).Lines(c, nil), writing.Lines(c, nil), "%q", text)
}

func TestCodeIsCopiedAsItWasMeant(t *testing.T) {
	const text = "1. ```sh\n   make\n\n     all\n   ```\n2. then\n\n  ```\n  a\n b\n  ```\n- ```\n  c\nend ```\n"
	require.Equal(t, "make\n\n  all\n\na\nb\n\nc\n", CodeOf(text))
}

func canvasOf(width int, shades draw.Shades) draw.Canvas {
	theme := draw.NewTheme(draw.Tint{Dark: true, Shades: shades})
	return draw.Canvas{Theme: theme, Glyphs: draw.NewGlyphs(false), Markdown: draw.NewProse(theme, false), Width: width}
}
