package highlight

// Kind is what a piece of code is.
type Kind uint8

// The kinds that are told apart.
const (
	Plain Kind = iota
	Comment
	Keyword
	Type // also one of a language's own words for types
	Function
	Tag       // of markup
	Attribute // of markup; a key of data
	Number
	String
	Deleted  // a line of a diff
	Inserted // a line of a diff
	Section  // a line of a diff that says where
)
