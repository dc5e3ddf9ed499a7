package words

import "strings"

// List joins names as in a sentence: a, b and c.
func List(names []string) string { return joined(names, "and") }

// Alternatives joins names as choices: a, b or c.
func Alternatives(names []string) string { return joined(names, "or") }

func joined(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}
