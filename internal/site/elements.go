package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"pawl/ui/highlight"
)

// elements renders what looks otherwise here than by default: headings, which one can refer to, and
// code, in the colours that Pawl's own screen tells apart.
type elements struct{}

// RegisterFuncs is called once by goldmark.
func (elements) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
}

func renderHeading(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id, _ := h.AttributeString("id") // a heading within something else has none
	mark, named := id.(string)
	switch {
	case entering && named:
		fmt.Fprintf(w, `<h%d id="%s">`, h.Level, html.EscapeString(mark))
	case entering:
		fmt.Fprintf(w, "<h%d>", h.Level)
	case named && h.Level > 1:
		said := plain(string(h.Lines().Value(source)))
		fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to: %s">#</a></h%d>`+"\n", html.EscapeString(mark), html.EscapeString(said), h.Level)
	default:
		fmt.Fprintf(w, "</h%d>\n", h.Level)
	}
	return ast.WalkContinue, nil
}

var classes = map[highlight.Kind]string{
	highlight.Comment: "c", highlight.Keyword: "k", highlight.Type: "t", highlight.Function: "f", highlight.Tag: "k",
	highlight.Attribute: "a", highlight.Number: "n", highlight.String: "s", highlight.Deleted: "d", highlight.Inserted: "i", highlight.Section: "c",
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(source))
	}
	code := string(n.Lines().Value(source))
	var b strings.Builder
	from := 0
	tokens, _ := highlight.Tokens(language, code)
	for _, token := range tokens {
		part := html.EscapeString(code[from:token.End])
		if class := classes[token.Kind]; class != "" {
			part = fmt.Sprintf(`<span class="%s">%s</span>`, class, part)
		}
		b.WriteString(part)
		from = token.End
	}
	fmt.Fprintf(w, `<pre tabindex="0" role="group" aria-label="Example"><code>%s</code></pre>`+"\n", b.String())
	return ast.WalkSkipChildren, nil
}
