package transcript

import (
	"pawl/ui/draw"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Closing a fence changes nothing that is on the screen: neither the place of a line
// nor a colour, wherever the fence stands.
func TestOpenCodeLooksAsItWillWhenItIsClosed(t *testing.T) {
	c := canvasOf(40, draw.Many)
	rapid.Check(t, func(r *rapid.T) {
		head := rapid.SampledFrom([]string{"```go", "```", "~~~ python x=1", " ```html", "   ````diff", "- ```go", "9. - ```", "1. run:\n   ```sh", "- a\n\n  ~~~"}).Draw(r, "head")
		opened := fenceOf(head[strings.LastIndex(head, "\n")+1:])
		before := "\n" + strings.Repeat(" ", opened.column)
		code := before + strings.ReplaceAll(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"func a() {\n", "\treturn \"words\" // why\n", "}\n", "\n", "/* a\n", "b */ c\n", "`raw\n", "`\n", "'", "\"\"\"", "<a href=\n", "\"x\">\n",
			"+ more\n", "    a line that is longer than the screen and goes on below\n", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\n", "x", "\r\n", "``\n",
		}), 1, 12).Draw(r, "code"), ""), "\n", before) + "\n"
		writing := &Block{Kind: Answer, Open: true}
		shown := func(text string, open bool) []draw.Styled {
			writing.Live, writing.Open = text, open
			writing.Changed()
			return writing.Lines(c, nil)
		}
		for i := 0; i < len(code); i += rapid.IntRange(1, 30).Draw(r, "step") {
			shown(head+code[:i], true)
		}
		open := shown(head+code, true)
		require.Equal(r, shown(head+code+before[1:]+opened.mark, false), open)
	})
}

// However long code gets, even in a comment that does not end, a line of it is drawn a
// bounded number of times.
func TestEachLineOfOpenCodeIsDrawnOnce(t *testing.T) {
	c := canvasOf(80, draw.Plain)
	for name, code := range map[string]string{"code": "\treturn fmt.Sprint(1)\n", "comment": "a word of a comment\n"} {
		var open openCode
		text := ""
		if name == "comment" {
			text = "/*\n"
		}
		text += strings.Repeat(code, 5000)
		open.appendTo(nil, c, codeHead{lead: "  ", language: "go"}, text)
		ahead := len(text) - len(open.of)
		require.LessOrEqual(t, ahead, unsettled, name)
		require.Len(t, open.appendTo(nil, c, codeHead{lead: "  ", language: "go"}, text+"x"), strings.Count(text, "\n")+1)
	}
}
