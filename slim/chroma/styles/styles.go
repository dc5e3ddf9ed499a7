// Package styles holds the looks that code is drawn in.
package styles

import "github.com/alecthomas/chroma/v2"

// Registry holds the styles by their names: one for a dark terminal, one for a
// light one.
var Registry = map[string]*chroma.Style{
	"nord": chroma.MustNewStyle("nord", chroma.StyleEntries{
		chroma.Comment:           "italic #7b88a1",
		chroma.Keyword:           "#81a1c1",
		chroma.KeywordType:       "#8fbcbb",
		chroma.NameBuiltin:       "#81a1c1",
		chroma.NameFunction:      "#88c0d0",
		chroma.NameTag:           "#81a1c1",
		chroma.NameAttribute:     "#8fbcbb",
		chroma.LiteralNumber:     "#b48ead",
		chroma.LiteralString:     "#a3be8c",
		chroma.GenericDeleted:    "#bf616a",
		chroma.GenericInserted:   "#a3be8c",
		chroma.GenericSubheading: "#88c0d0",
	}),
	"friendly": chroma.MustNewStyle("friendly", chroma.StyleEntries{
		chroma.Comment:           "italic #5f6f7f",
		chroma.Keyword:           "bold #0b6b2c",
		chroma.KeywordType:       "#8c2f00",
		chroma.NameBuiltin:       "#0b6b2c",
		chroma.NameFunction:      "#06287e",
		chroma.NameTag:           "bold #0b5a7a",
		chroma.NameAttribute:     "#0b5a7a",
		chroma.LiteralNumber:     "#1f7a50",
		chroma.LiteralString:     "#2f5f96",
		chroma.GenericDeleted:    "#a00000",
		chroma.GenericInserted:   "#007a00",
		chroma.GenericSubheading: "bold #800080",
	}),
}

// Register adds a style, or puts it in the place of one of its name.
func Register(style *chroma.Style) *chroma.Style {
	Registry[style.Name] = style
	return style
}
