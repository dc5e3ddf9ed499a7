package words

import (
	"slices"
	"strings"
)

// List joins names as in a sentence: a, b and c.
func List(names []string) string { return joined(names, "and") }

// Alternatives joins names as choices: a, b or c.
func Alternatives(names []string) string { return joined(names, "or") }

// Join joins the parts that are not empty.
func Join(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" }), separator)
}

func joined(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}
