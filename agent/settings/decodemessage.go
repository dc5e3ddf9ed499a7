package settings

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// wrongType matches the decoder's message about a value of the wrong type, which speaks of
// Go types.
var wrongType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^toml: cannot (?:decode TOML|store TOML) .* (?:type|a Go) (\S+)$`)
})

// decodeMessage says what the decoder found wrong, in the user's terms.
func decodeMessage(wrong *toml.DecodeError) string {
	text := wrong.Error()
	if found := wrongType().FindStringSubmatch(text); found != nil && len(wrong.Key()) > 0 {
		return fmt.Sprintf("%s: must be %s", strings.Join(wrong.Key(), "."), expectedKind(found[1]))
	}
	return strings.TrimPrefix(text, "toml: ")
}

// expectedKind describes what a key takes, given its Go type.
func expectedKind(kind string) string {
	switch {
	case kind == "[]settings.Hook":
		return "a list of tables: write [[hooks]] above each"
	case strings.HasPrefix(kind, "[]"):
		return `a list of strings, such as ["x", "y"]`
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "string":
		return `a string, such as "x"`
	}
	return "a table"
}
