// Package variables puts environment variables into the user's settings: ${NAME}, and
// ${NAME:-a default}, which an empty variable takes too, as in a shell.
package variables

import (
	"maps"
	"regexp"
	"slices"
	"sync"
)

var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)
})

// Reference is one ${NAME} of a text.
type Reference struct {
	Name       string
	HasDefault bool
	Default    string
}

// Expand replaces each reference of a text by what value returns for it. Of several errors the
// first counts.
func Expand(text string, value func(Reference) (string, error)) (string, error) {
	var err error
	expanded := reference().ReplaceAllStringFunc(text, func(found string) string {
		parts := reference().FindStringSubmatch(found)
		put, missing := value(Reference{Name: parts[1], HasDefault: parts[2] != "", Default: parts[3]})
		if err == nil {
			err = missing
		}
		return put
	})
	return expanded, err
}

// Names lists the variables that texts refer to, sorted and each once.
func Names(texts ...string) []string {
	names := map[string]bool{}
	for _, text := range texts {
		for _, found := range reference().FindAllStringSubmatch(text, -1) {
			names[found[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
