package ui

import (
	"pawl/ui/highlight"
	"pawl/ui/markdown"
)

// highlight is the look of a piece of code in a fence: in inks of the palette, and
// only where there are many, for the sixteen of a terminal have other meanings.
func (t theme) highlight(k highlight.Kind) (paint, markdown.Weight) {
	if !t.inks.full {
		return t.text, 0
	}
	switch k {
	case highlight.Plain:
		return t.text, 0
	case highlight.Comment:
		return t.dim, markdown.Emphasis
	case highlight.Keyword, highlight.Tag:
		return t.accent, 0
	case highlight.Type, highlight.Function, highlight.Attribute:
		return t.code, 0
	case highlight.Number:
		return t.user, 0
	case highlight.String, highlight.Inserted:
		return t.good, 0
	case highlight.Deleted:
		return t.bad, 0
	case highlight.Section:
		return t.code, markdown.Strong
	}
	return t.text, 0
}
