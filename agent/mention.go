package agent

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mention is a path that a message names: a word that begins with @, or a quoted text after @.
type Mention struct {
	Name   string
	Quoted bool // the name is exact
}

// sign starts a mention, quote a name in quotes.
const (
	sign  = '@'
	quote = '"'
)

// trailing are characters after a name that usually belong to the sentence.
const trailing = ".,;:!?)]}>'\"’”`"

// Mentions lists the mentions in a text in order, each once.
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

// Bare is the name without trailing punctuation. A quoted name is returned unchanged.
func (m Mention) Bare() string {
	if m.Quoted {
		return m.Name
	}
	return strings.TrimRight(m.Name, trailing)
}

// Full reports whether the path starts at the root of the file system or at the home folder.
func (m Mention) Full() bool { return path.IsAbs(m.Name) || strings.HasPrefix(m.Name, "~/") }

// Elsewhere reports whether the name may be that of something a server has: SERVER:ADDRESS.
func (m Mention) Elsewhere() bool {
	server, address, ok := strings.Cut(m.Name, ":")
	const fit = "_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return ok && server != "" && address != "" && strings.Trim(server, fit) == ""
}

// Reach lists the full paths that a text mentions, and the names of what servers have. Files of
// the folder may be attached whoever mentions them; anything else only if a person does.
func Reach(text string) []string {
	var names []string
	for _, m := range Mentions(text) {
		if m.Full() || m.Elsewhere() {
			names = append(names, m.Name)
		}
	}
	return names
}

// String writes a mention so that Mentions reads back the same name.
func (m Mention) String() string {
	plain := m.Name != "" && m.Bare() == m.Name && !strings.ContainsFunc(m.Name, unicode.IsSpace) && m.Name[0] != quote
	if plain && !m.Quoted {
		return string(sign) + m.Name
	}
	return string(sign) + string(quote) + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m.Name) + string(quote)
}

// MentionAt finds the mention being typed before position at: where it starts, and its
// name so far.
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

// startsMention reports whether a mention can begin here, at the start of a word.
func startsMention(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	return size == 0 || unicode.IsSpace(before) || strings.ContainsRune(`([{"'`, before)
}

// scan reads a name and returns where it ends.
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

// scanQuoted reads up to the closing quote or, if there is none, to the end of the line.
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

// quoteEnds reports whether the text after an opening quote has the closing one.
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
