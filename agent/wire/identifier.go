package wire

import "strings"

// Identifier turns a name from a model or another server into one that a server accepts:
// letters, digits, _, - and the characters of also, at most most of them. A model can call
// tools that do not exist, by any name, and the history must still be sent. An empty name
// stays empty.
func Identifier(name, also string, most int) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', strings.ContainsRune(also, r):
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), most)]
}
