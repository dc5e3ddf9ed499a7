package ui

import (
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

// The styles in which code in fences is drawn, as the highlighter knows them: one
// for each palette of many colours, in inks of that palette.
const (
	codeOnDark        = "pawl-dark"
	codeOnLight       = "pawl-light"
	codeContrastDark  = "pawl-contrast-dark"
	codeContrastLight = "pawl-contrast-light"
)

// registerHighlights makes the highlighter know them. Its registry is a variable
// of its package.
var registerHighlights = sync.OnceFunc(func() {
	for _, dark := range []bool{true, false} {
		for _, contrast := range []bool{true, false} {
			inks := paletteOf(dark, contrast, many)
			styles.Register(chroma.MustNewStyle(inks.highlight, inks.entries()))
		}
	}
})

// entries are the inks of words in code: few, for it stands between text.
func (p palette) entries() chroma.StyleEntries {
	in := func(i ink) string { return string(i) }
	return chroma.StyleEntries{
		chroma.Comment:           "italic " + in(p.dim),
		chroma.Keyword:           in(p.accent),
		chroma.KeywordType:       in(p.code),
		chroma.NameBuiltin:       in(p.accent),
		chroma.NameFunction:      in(p.code),
		chroma.NameTag:           in(p.accent),
		chroma.NameAttribute:     in(p.code),
		chroma.LiteralNumber:     in(p.user),
		chroma.LiteralString:     in(p.good),
		chroma.GenericDeleted:    in(p.bad),
		chroma.GenericInserted:   in(p.good),
		chroma.GenericSubheading: "bold " + in(p.code),
	}
}
