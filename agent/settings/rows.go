package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// rows says on which line of a file each key stands. Its keys are the parts of a
// setting's name; a part can hold dots.
type rows map[string]int

const between = "\x00"

// findRows reads a file that has been decoded already, so it holds no mistakes.
func findRows(text string) rows {
	found := rows{}
	var parser unstable.Parser
	parser.Reset([]byte(text))
	table := ""
	for parser.NextExpression() {
		expression := parser.Expression()
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = found.note(&parser, expression, "")
		case unstable.KeyValue:
			found.note(&parser, expression, table)
		default: // a comment
		}
	}
	return found
}

// note keeps the line of one key, and gives its whole name.
func (r rows) note(parser *unstable.Parser, of *unstable.Node, table string) string {
	var parts []string
	row := 0
	for keys := of.Key(); keys.Next(); {
		if row == 0 {
			row = parser.Shape(keys.Node().Raw).Start.Line
		}
		parts = append(parts, string(keys.Node().Data))
	}
	name := strings.Join(parts, between)
	if table != "" {
		name = table + between + name
	}
	r[name] = row
	return name
}

// place is the file with the line of a key, or of the nearest above it that has one.
func (r rows) place(path string, parts ...string) string {
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if row := r[strings.Join(parts, between)]; row > 0 {
			return fmt.Sprintf("%s:%d", path, row)
		}
	}
	return path
}

// locate is an error about a value with the line of its key, by which its message
// begins.
func (r rows) locate(path string, err error) error {
	if several := Errors(nil); errors.As(err, &several) {
		var all []error
		for _, one := range several {
			all = append(all, r.locate(path, one))
		}
		return All(all...)
	}
	var wrong *Error
	if !errors.As(err, &wrong) || wrong.Where != path {
		return err
	}
	key := strings.ReplaceAll(wrong.Message, "permission mode", "permission_mode")
	key, _, _ = strings.Cut(key, " ")
	parts := strings.Split(strings.TrimSuffix(key, ":"), ".")
	return &Error{r.place(path, parts...), wrong.Message}
}
