// Package chroma stands in for the library of that name: see slim/README.md. It knows
// some thirty languages by their words, comments and strings, and no grammar.
package chroma

// TokenType is what a piece of code is.
type TokenType int

// The types that glamour names. Highlight makes only some of them.
const (
	Text TokenType = iota
	Background
	Error
	Comment
	CommentPreproc
	Keyword
	KeywordReserved
	KeywordNamespace
	KeywordType
	Operator
	Punctuation
	Name
	NameBuiltin
	NameTag
	NameAttribute
	NameClass
	NameConstant
	NameDecorator
	NameException
	NameFunction
	NameOther
	Literal
	LiteralNumber
	LiteralDate
	LiteralString
	LiteralStringEscape
	GenericDeleted
	GenericEmph
	GenericInserted
	GenericStrong
	GenericSubheading
)

// StyleEntries say how each type looks, as in "bold #81a1c1".
type StyleEntries map[TokenType]string

// Style is a named set of looks.
type Style struct {
	Name    string
	Entries StyleEntries
}

// MustNewStyle makes a style. It never fails: what a look does not say is plain.
func MustNewStyle(name string, entries StyleEntries) *Style { return &Style{name, entries} }

// Look is what the style says of a type, empty where it says nothing.
func (s *Style) Look(t TokenType) string {
	if s == nil {
		return ""
	}
	return s.Entries[t]
}
