package settings

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// wrongType is what the decoder says of a value that is of another sort than its key
// takes, in words about Go.
var wrongType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^toml: cannot (?:decode TOML|store TOML) .* (?:type|a Go) (\S+)$`)
})

// decodeMessage is what the decoder has found wrong, in a user's words.
func decodeMessage(wrong *toml.DecodeError) string {
	text := wrong.Error()
	if found := wrongType().FindStringSubmatch(text); found != nil && len(wrong.Key()) > 0 {
		return fmt.Sprintf("%s: must be %s", strings.Join(wrong.Key(), "."), expectedKind(found[1]))
	}
	return strings.TrimPrefix(text, "toml: ")
}

// expectedKind names what a key takes, of the Go type that it is read into.
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
