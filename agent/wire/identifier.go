package wire

import "strings"

// Identifier makes a name that a model or another server invented one that a
// server takes: of letters, digits, _, - and the characters of also, with most
// characters. A model can call what does not exist, by any name, and the history
// must still go out. An empty name stays empty.
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
