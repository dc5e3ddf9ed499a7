package markdown

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"pawl/agent/sanitize"
)

// spacing says whether blocks have blank lines between them.
type spacing int

const (
	apart spacing = iota // a blank line
	close                // no blank line
)

// blocks writes the blocks in a node. A block that shows nothing gets no blank line.
func (w *writer) blocks(n ast.Node, s spacing) {
	began := len(w.ends)
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		spans, above := len(w.spans), len(w.ends)
		if above > began && s == apart {
			w.gap()
		}
		below := len(w.ends)
		if w.block(child); len(w.ends) == below {
			w.spans, w.ends = w.spans[:spans], w.ends[:above]
		}
	}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		look := Look{Weight: Strong}
		if n.Level == 1 {
			look.Weight |= Underlined
		}
		w.paragraph(n, look)
	case *ast.ThematicBreak:
		w.line(Span{w.dashes(3), Look{Ink: InkSign}})
	case *ast.CodeBlock:
		w.code(n, "")
	case *ast.FencedCodeBlock:
		w.code(n, string(n.Language(w.source)))
	case *ast.Blockquote:
		w.quote(n)
	case *ast.List:
		w.list(n)
	case *extast.Table:
		w.table(n)
	case *extast.DefinitionList:
		w.definitions(n)
	default: // paragraphs, tight list items, and whatever a newer parser adds
		w.paragraph(n, Look{})
	}
}

// paragraph writes wrapped text.
func (w *writer) paragraph(n ast.Node, look Look) {
	if w.quotes > 0 {
		look.Weight |= Emphasis
	}
	runs := append(w.words[:0], w.below...)
	w.below = nil
	w.words = w.inline(runs, n, look)
	w.wrapped(w.words)
}

// line writes one line, wrapped if it is too wide.
func (w *writer) line(s Span) { w.wrapped([]run{{Span: s}}) }

// dashes returns n signs of a rule.
func (w *writer) dashes(n int) sanitize.Text {
	if w.rules == "" {
		w.rules = w.signs.Rule
	}
	for n *= len(w.signs.Rule); len(w.rules) < n; {
		w.rules += w.rules
	}
	return w.rules[:n]
}

// quote writes a quote with a bar on its left.
func (w *writer) quote(n ast.Node) {
	bar := Span{Text: w.signs.Bar + " "}
	pushed := w.push(bar, bar)
	w.quotes++
	w.blocks(n, apart)
	w.quotes--
	if pushed {
		w.pop()
	}
}

// definitions writes terms, each with its definitions below.
func (w *writer) definitions(n *extast.DefinitionList) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if _, term := child.(*extast.DefinitionTerm); term {
			if before := child.PreviousSibling(); before != nil && before.Kind() != extast.KindDefinitionTerm {
				w.gap()
			}
			w.paragraph(child, Look{Weight: Strong})
			continue
		}
		room := Span{Text: spaces(2)}
		pushed := w.push(room, room)
		w.blocks(child, apart)
		if pushed {
			w.pop()
		}
	}
}
