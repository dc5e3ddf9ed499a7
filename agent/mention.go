package agent

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mention is a path that a message names: a word that begins with @, or what stands
// in quotes behind one.
type Mention struct {
	Name   string
	Quoted bool // nothing else can be meant
}

// sign begins a mention, and quote what is named in full.
const (
	sign  = '@'
	quote = '"'
)

// trailing is what may follow a name in a sentence and is hardly a part of it.
const trailing = ".,;:!?)]}>'\"’”`"

// Mentions lists what a text names, in its order, each once.
func Mentions(text string) []Mention {
	var all []Mention
	seen := map[Mention]bool{}
	for at := 0; at < len(text); {
		if text[at] != sign || !startsMention(text, at) {
			at++
			continue
		}
		name, quoted, end := scan(text, at+1)
		at = end
		if m := (Mention{name, quoted}); name != "" && !seen[m] {
			seen[m] = true
			all = append(all, m)
		}
	}
	return all
}

// Bare is the name without what ends a sentence. It is the same where a person has
// quoted it.
func (m Mention) Bare() string {
	if m.Quoted {
		return m.Name
	}
	return strings.TrimRight(m.Name, trailing)
}

// Full says that it names a path from the top of the file system, or from the home
// folder on.
func (m Mention) Full() bool { return path.IsAbs(m.Name) || strings.HasPrefix(m.Name, "~/") }

// Reach lists what a text names in full, its mentions by their names. What the folder
// holds may be attached whoever named it; what is outside has to be named so, and by
// a person.
func Reach(text string) []string {
	var names []string
	for _, m := range Mentions(text) {
		if m.Full() {
			names = append(names, m.Name)
		}
	}
	return names
}

// String writes a mention so that Mentions finds that very name.
func (m Mention) String() string {
	plain := m.Name != "" && m.Bare() == m.Name && !strings.ContainsFunc(m.Name, unicode.IsSpace) && m.Name[0] != quote
	if plain && !m.Quoted {
		return string(sign) + m.Name
	}
	return string(sign) + string(quote) + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m.Name) + string(quote)
}

// MentionAt finds the mention that is being written in front of a place in a text:
// where it starts, and the name as far as it is there.
func MentionAt(text string, at int) (start int, name string, ok bool) {
	for start = range at {
		if text[start] != sign || !startsMention(text, start) {
			continue
		}
		if found, quoted, end := scan(text[:at], start+1); end == at && (!quoted || !quoteEnds(text[start+2:at])) {
			return start, found, true
		}
	}
	return 0, "", false
}

// startsMention says that a mention may begin here: at the beginning of a word.
func startsMention(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	return size == 0 || unicode.IsSpace(before) || strings.ContainsRune(`([{"'`, before)
}

// scan reads a name, and says where it ends.
func scan(text string, at int) (name string, quoted bool, end int) {
	if at < len(text) && text[at] == quote {
		return scanQuoted(text, at+1)
	}
	rest := text[at:]
	if n := strings.IndexFunc(rest, unicode.IsSpace); n >= 0 {
		rest = rest[:n]
	}
	return rest, false, at + len(rest)
}

// scanQuoted reads up to the closing quote or, where there is none, to the end of
// the line.
func scanQuoted(text string, at int) (string, bool, int) {
	var name strings.Builder
	for ; at < len(text); at++ {
		switch c := text[at]; c {
		case quote:
			return name.String(), true, at + 1
		case '\n':
			return name.String(), true, at
		case '\\':
			if at+1 < len(text) && (text[at+1] == quote || text[at+1] == '\\') {
				at++
			}
			name.WriteByte(text[at])
		default:
			name.WriteByte(c)
		}
	}
	return name.String(), true, at
}

// quoteEnds says that what follows an opening quote has the closing one.
func quoteEnds(rest string) bool {
	for at := 0; at < len(rest); at++ {
		switch rest[at] {
		case '\\':
			at++
		case quote:
			return true
		}
	}
	return false
}
