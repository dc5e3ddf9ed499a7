package draw

import (
	"pawl/ui/highlight"
	"pawl/ui/markdown"
)

// highlight is the look of a token in a code block: inks of the palette, and only if there are
// many colours, because the sixteen of a terminal have other meanings.
func (t Theme) highlight(k highlight.Kind) (Paint, markdown.Weight) {
	if !t.Inks.full {
		return t.Text, 0
	}
	switch k {
	case highlight.Plain:
		return t.Text, 0
	case highlight.Comment:
		return t.Dim, markdown.Emphasis
	case highlight.Keyword, highlight.Tag:
		return t.Accent, 0
	case highlight.Type, highlight.Function, highlight.Attribute:
		return t.Code, 0
	case highlight.Number:
		return t.User, 0
	case highlight.String, highlight.Inserted:
		return t.Good, 0
	case highlight.Deleted:
		return t.Bad, 0
	case highlight.Section:
		return t.Code, markdown.Strong
	}
	return t.Text, 0
}
