package html

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What is longer, or nests deeper, is shown as it was written: nobody reads it as
// prose, and neither a parser nor a browser is made for it.
const (
	longProse = 64 << 10 // bytes
	deepProse = 24
)

// prose is what a model wrote as Markdown. The elements are ours and few; each text
// in them is escaped, HTML as well: it is shown, never obeyed. Pictures
// are links, for the page loads nothing. An entity stays as it is written, as on the
// screen: none becomes a character that nobody saw coming.
func (w *writer) prose(raw string) markup {
	clean := w.Readable(raw)
	if strings.TrimSpace(clean) == "" {
		return ""
	}
	if len(clean) <= longProse {
		p := &proseWriter{writer: w, source: []byte(clean)}
		if p.children(proseParser().Parse(text.NewReader(p.source)), 0); !p.deep {
			return w.markup("<div class=\"prose\">%s</div>", markup(p.out.String()))
		}
	}
	return w.markup("<div class=\"plain\">%s</div>", clean)
}

// proseParser reads what models write: Markdown as GitHub has it.
var proseParser = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()
})

// proseWriter writes one parsed text.
type proseWriter struct {
	*writer
	source []byte
	out    strings.Builder
	deep   bool // it nests too deeply, and what was written is of no use
}

func (w *proseWriter) put(format markup, args ...any) {
	w.out.WriteString(string(w.markup(format, args...)))
}

func (w *proseWriter) children(n ast.Node, depth int) {
	if w.deep = w.deep || depth > deepProse; w.deep {
		return
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		w.node(child, depth+1)
	}
}

// wrap writes an element of ours around what stands in a node.
func (w *proseWriter) wrap(element markup, n ast.Node, depth int) {
	w.put("<%s>", element)
	w.children(n, depth)
	w.put("</%s>", element)
}

func (w *proseWriter) node(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Value(w.source)
		if n.Parent().Kind() != ast.KindCodeSpan {
			value = util.UnescapePunctuations(value)
		}
		w.put("%s", string(value))
		switch {
		case n.HardLineBreak():
			w.put("<br>")
		case n.SoftLineBreak():
			w.put("\n")
		}
	case *ast.String:
		w.put("%s", string(n.Value))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.put("<pre tabindex=\"0\">%s</pre>", w.lines(n))
	case *ast.HTMLBlock:
		w.put("<p>%s", w.lines(n))
		if n.HasClosure() {
			w.put("%s", string(n.ClosureLine.Value(w.source)))
		}
		w.put("</p>")
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			at := n.Segments.At(i)
			w.put("%s", string(at.Value(w.source)))
		}
	case *ast.AutoLink:
		w.link(string(n.URL(w.source)), w.markup("%s", string(n.Label(w.source))))
	case *ast.Link:
		w.link(string(n.Destination), w.inside(n, depth))
	case *ast.Image:
		w.link(string(n.Destination), w.markup("picture: %s", w.inside(n, depth)))
	case *ast.ThematicBreak:
		w.put("<hr>")
	case *extast.TaskCheckBox:
		w.put("%s ", map[bool]string{true: "☑", false: "☐"}[n.IsChecked])
	case *ast.List:
		if !n.IsOrdered() || n.Start == 1 {
			w.wrap(elementOf(n), n, depth)
			return
		}
		w.put(`<ol start="%s">`, strconv.Itoa(n.Start))
		w.children(n, depth)
		w.put("</ol>")
	default:
		w.wrap(elementOf(n), n, depth)
	}
}

// elementOf is the element for a node that only holds others.
func elementOf(n ast.Node) markup {
	switch n := n.(type) {
	case *ast.Heading: // below our own
		return markup(fmt.Sprintf("h%d", min(n.Level+4, 6)))
	case *ast.Blockquote:
		return "blockquote"
	case *ast.List:
		if n.IsOrdered() {
			return "ol"
		}
		return "ul"
	case *ast.ListItem:
		return "li"
	case *ast.Emphasis:
		if n.Level == 2 {
			return "strong"
		}
		return "em"
	case *ast.CodeSpan:
		return "code"
	case *extast.Strikethrough:
		return "s"
	case *extast.Table:
		return "table"
	case *extast.TableHeader, *extast.TableRow:
		return "tr"
	case *extast.TableCell:
		return "td"
	case *ast.Paragraph:
		return "p"
	}
	return "span" // a text in a tight list, and whatever a newer parser may know
}

// inside is what stands in a node, as markup of its own.
func (w *proseWriter) inside(n ast.Node, depth int) markup {
	inner := &proseWriter{writer: w.writer, source: w.source}
	inner.children(n, depth)
	w.deep = w.deep || inner.deep
	return markup(inner.out.String())
}

func (w *proseWriter) link(address string, text markup) {
	w.out.WriteString(string(w.writer.link(address, text)))
}

func (w *proseWriter) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		b.Write(at.Value(w.source))
	}
	return b.String()
}
