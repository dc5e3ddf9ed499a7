package highlight

import (
	"strings"
	"sync"
	"unicode"
)

// language is what is known of one: how its comments and strings begin, and its
// words.
type language struct {
	names    string      // behind a fence
	comments []string    // to the end of the line
	blocks   [][2]string // comments from here to there
	quotes   string      // each of them begins a string of one line
	multi    []string    // marks of strings that may go over lines

	keywords, builtin string // its words
	words, types      map[string]bool

	lifetimes bool // 'a without an end is none of a string

	anyCase bool   // SELECT is select
	classes bool   // what begins with a capital is a type
	dashes  bool   // a word may have a dash in it
	keyed   bool   // lines begin with keys, or strings before a colon are keys
	keySign string // behind such a key
	markup  bool   // tags

	lines func(string) Kind // where a line's beginning says all
}

// known are the languages by name, made when code is first drawn.
var known = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	for _, l := range languages() {
		l.words, l.types = set(l.keywords), set(l.builtin)
		for name := range strings.FieldsSeq(l.names) {
			all[name] = &l
		}
	}
	return all
})

// find is the language of a name; nil where there is no name, or it says that there
// is nothing to tell apart.
func find(name string) *language {
	name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), " ")
	switch name {
	case "", "text", "txt", "plain", "plaintext", "none", "markdown", "md", "output":
		return nil
	}
	if l := known()[name]; l != nil {
		return l
	}
	return &language{quotes: `"`}
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// wordly reports whether a rune may stand in a word.
func (l *language) wordly(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || l.dashes && c == '-'
}

// changed is the kind of a line of a diff.
func changed(line string) Kind {
	switch {
	case strings.HasPrefix(line, "+"):
		return Inserted
	case strings.HasPrefix(line, "-"):
		return Deleted
	case strings.HasPrefix(line, "@@"):
		return Section
	}
	return Plain
}
