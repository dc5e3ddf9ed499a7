package settings

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// rows maps each key to its line in a file. A key is the parts of a setting's name, joined
// by between, because a part can contain dots.
type rows map[string]int

const between = "\x00"

// findRows expects a file that has been decoded without errors.
func findRows(text string) rows {
	found, at := rows{}, lineEnds(text)
	var parser unstable.Parser
	parser.Reset([]byte(text))
	table := ""
	for parser.NextExpression() {
		expression := parser.Expression()
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = found.note(at, expression, "")
		case unstable.KeyValue:
			found.note(at, expression, table)
		default: // a comment
		}
	}
	return found
}

// lines are where the lines of a text end. The parser's own Shape counts from the beginning each time,
// which takes minutes for a file that is made for it.
type lines []int

func lineEnds(text string) lines {
	ends := make(lines, 0, strings.Count(text, "\n"))
	for i := range len(text) {
		if text[i] == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

// of is the line, from 1, on which something begins.
func (l lines) of(raw unstable.Range) int { return 1 + sort.SearchInts(l, int(raw.Offset)) }

// note records the line of one key, and returns its full name.
func (r rows) note(at lines, of *unstable.Node, table string) string {
	var parts []string
	row := 0
	for keys := of.Key(); keys.Next(); {
		if row == 0 {
			row = at.of(keys.Node().Raw)
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

// place is the file and line of a key, or of the nearest table above it that has a line.
func (r rows) place(path string, parts ...string) string {
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if row := r[strings.Join(parts, between)]; row > 0 {
			return fmt.Sprintf("%s:%d", path, row)
		}
	}
	return path
}

// locate adds the line to an error about a value, whose message begins with the key.
func (r rows) locate(path string, err error) error {
	if several, is := errors.AsType[Errors](err); is {
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
