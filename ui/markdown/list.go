package markdown

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"pawl/agent/sanitize"
)

// list writes the items of a list, each after its marker. Items have no blank line between them,
// except tall ones that were written with one.
func (w *writer) list(n *ast.List) {
	number := n.Start
	tall := false
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		above := tall
		tall = !n.IsTight && tallItem(item)
		if item != n.FirstChild() && (above || tall) {
			w.gap()
		}
		s := close
		if tall {
			s = apart
		}
		w.item(item, w.mark(n, item, number), s)
		number++
	}
}

// item writes one item, its lines aligned after the marker.
func (w *writer) item(n ast.Node, mark sanitize.Text, s spacing) {
	if w.push(Span{Text: mark}, Span{Text: spaces(cells(mark))}) {
		w.blocks(n, s)
		w.pop()
		return
	}
	w.below = append(w.below, run{Span: Span{Text: mark}})
	w.blocks(n, s)
	if len(w.below) > 0 {
		runs := w.below
		w.below = nil
		w.wrapped(runs)
	}
}

// mark is the marker of an item.
func (w *writer) mark(list *ast.List, item ast.Node, number int) sanitize.Text {
	if box := boxOf(item); box != nil {
		if box.IsChecked {
			return w.signs.Ticked + " "
		}
		return w.signs.Unticked + " "
	}
	if !list.IsOrdered() {
		return w.signs.Bullet + " "
	}
	return sanitize.Line(strconv.Itoa(number) + string(list.Marker) + " ")
}

// boxOf is the checkbox of a task item, or nil.
func boxOf(item ast.Node) *extast.TaskCheckBox {
	words := item.FirstChild()
	if words == nil {
		return nil
	}
	box, _ := words.FirstChild().(*extast.TaskCheckBox)
	return box
}

// tallItem reports whether an item holds more than a text and lists below it.
func tallItem(item ast.Node) bool {
	for child := item.FirstChild(); child != nil; child = child.NextSibling() {
		if _, list := child.(*ast.List); !list && child != item.FirstChild() {
			return true
		}
	}
	return false
}
