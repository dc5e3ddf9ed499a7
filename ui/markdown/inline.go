package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"pawl/agent/sanitize"
)

// run is text of one look. A run that breaks the line has no text.
type run struct {
	Span
	breaks bool
}

// inline adds the text in a node.
func (w *writer) inline(runs []run, n ast.Node, look Look) []run {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		runs = w.word(runs, child, look)
	}
	return runs
}

func (w *writer) word(runs []run, n ast.Node, look Look) []run {
	switch n := n.(type) {
	case *ast.Text:
		return w.written(runs, n, look)
	case *ast.CodeSpan:
		look.Ink = InkQuoted
		return w.inline(runs, n, look)
	case *ast.Emphasis:
		if n.Level == 2 {
			look.Weight |= Strong
		} else {
			look.Weight |= Emphasis
		}
		return w.inline(runs, n, look)
	case *extast.Strikethrough:
		look.Weight |= Struck
		return w.inline(runs, n, look)
	case *ast.AutoLink:
		return append(runs, addressRun(string(n.Label(w.source)), look))
	case *ast.Link:
		words := look
		words.Ink = InkLink
		return w.link(runs, n, words, n.Destination, n.Title, look)
	case *ast.Image:
		return w.link(runs, n, look, n.Destination, n.Title, look)
	case *extast.TaskCheckBox: // it is the marker of its item
		return runs
	}
	return w.inline(runs, n, look)
}

// written adds a text of the source. Escaping backslashes are removed, except in code.
func (w *writer) written(runs []run, n *ast.Text, look Look) []run {
	t := spaces(n.Segment.Padding) + w.at(n.Segment)
	if look.Ink != InkQuoted && !n.IsRaw() {
		for at := 0; ; {
			i := strings.IndexByte(string(t[at:]), '\\')
			if i < 0 || at+i+1 == len(t) {
				break
			}
			if i += at; !util.IsPunct(t[i+1]) {
				at = i + 1
				continue
			}
			runs = append(runs, run{Span: Span{t[:i], look}})
			t, at = t[i+1:], 1
		}
	}
	for { // code may span lines
		i := strings.IndexByte(string(t), '\n')
		if i < 0 {
			break
		}
		runs = append(runs, run{Span: Span{t[:i], look}}, run{Span: Span{" ", look}})
		t = t[i+1:]
	}
	runs = append(runs, run{Span: Span{t, look}})
	switch {
	case n.HardLineBreak() || n.SoftLineBreak() && w.defines(n.Segment.Stop):
		return append(runs, run{breaks: true})
	case n.SoftLineBreak():
		return append(runs, run{Span: Span{" ", look}})
	}
	return runs
}

// defines reports whether the line after a place is a link definition: such lines stay separate
// lines.
func (w *writer) defines(place int) bool {
	_, next, _ := strings.Cut(string(w.text[place:]), "\n")
	next, _, _ = strings.Cut(next, "\n")
	next = strings.TrimLeft(next, " >")
	mark, _, found := strings.Cut(next, "]:")
	return found && strings.HasPrefix(mark, "[") && !strings.Contains(mark, "](")
}

// link adds the words of a link and, unless they are the same, its address. An anchor in the
// same text gets none: it leads nowhere on a screen.
func (w *writer) link(runs []run, n ast.Node, words Look, address, title []byte, look Look) []run {
	began := len(runs)
	runs = w.inline(runs, n, words)
	if len(address) > 0 && address[0] != '#' && !bytes.Equal(address, w.linkText(n)) {
		if len(runs) > began {
			runs = append(runs, run{Span: Span{" ", look}})
		}
		runs = append(runs, addressRun(string(address), look))
	}
	if len(title) > 0 {
		runs = append(runs, run{Span: Span{sanitize.Line(" (" + string(title) + ")"), look}})
	}
	return runs
}

// linkText is the text of a link that consists of one text only, or nil.
func (w *writer) linkText(n ast.Node) []byte {
	if words, ok := n.FirstChild().(*ast.Text); ok && n.ChildCount() == 1 {
		return words.Value(w.source)
	}
	return nil
}

func addressRun(address string, look Look) run {
	look.Ink = InkAddress
	look.Weight |= Underlined
	return run{Span: Span{sanitize.Line(address), look}}
}
