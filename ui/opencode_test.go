package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent/sanitize"
)

// Closing a fence changes nothing that is on the screen: neither the place of a line
// nor a colour.
func TestOpenCodeLooksAsItWillWhenItIsClosed(t *testing.T) {
	c := newScreen(t, 40, 20, func(_ *Options, term *terminal) { term.colour = true }).canvas()
	rapid.Check(t, func(r *rapid.T) {
		head := rapid.SampledFrom([]string{"```go", "```", "~~~ python x=1", "  ```html", "````diff"}).Draw(r, "head")
		code := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"func a() {\n", "\treturn \"words\" // why\n", "}\n", "\n", "/* a\n", "b */ c\n", "`raw\n", "`\n", "'", "\"\"\"", "<a href=\n", "\"x\">\n",
			"+ more\n", "    a line that is longer than the screen and goes on below\n", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\n", "x", "\r\n", "``\n",
		}), 1, 12).Draw(r, "code"), "") + "\n"
		var open openCode
		for i := 0; i < len(code); i += rapid.IntRange(1, 30).Draw(r, "step") {
			open.appendTo(nil, c, head, code[:i])
		}
		mark := strings.TrimLeft(head, " ")
		room := len(head) - len(mark)
		closed := head + "\n" + code + mark[:len(mark)-len(strings.TrimLeft(mark, mark[:1]))]
		want := c.finished(indentedBy(2+room, c.markdown.render(sanitize.Clean(closed), c.width-2-room)), closed)
		require.Equal(r, want, open.appendTo([]styled{}, c, head, code))
	})
}

// However long code gets, even in a comment that does not end, a line of it is drawn a
// bounded number of times.
func TestEachLineOfOpenCodeIsDrawnOnce(t *testing.T) {
	c := newScreen(t, 80, 20).canvas()
	for name, code := range map[string]string{"code": "\treturn fmt.Sprint(1)\n", "comment": "a word of a comment\n"} {
		var open openCode
		text := ""
		if name == "comment" {
			text = "/*\n"
		}
		text += strings.Repeat(code, 5000)
		open.appendTo(nil, c, "```go", text)
		ahead := len(text) - len(open.of)
		require.LessOrEqual(t, ahead, unsettled, name)
		require.Len(t, open.appendTo(nil, c, "```go", text+"x"), strings.Count(text, "\n")+1)
	}
}
