package settings

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// decodeFile decodes a file and continues after each value that does not fit, so that all
// errors are reported at once. read is the text without those values, every other value on
// its line; empty if decoding had to stop.
func decodeFile(path, text string, s *Settings) (read string, err error) {
	before := *s
	var found []error
	for range maxErrors {
		*s = before
		err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(s)
		var unknown *toml.StrictMissingError
		var wrong *toml.DecodeError
		switch {
		case err == nil:
			return text, All(found...)
		case errors.As(err, &unknown):
			for i := range unknown.Errors {
				row, _ := unknown.Errors[i].Position()
				found = append(found, &Error{fmt.Sprintf("%s:%d", path, row), unknownSetting(unknown.Errors[i].Key())})
			}
			return text, All(found...)
		case !errors.As(err, &wrong):
			return "", All(append(found, &Error{path, err.Error()})...)
		}
		row, column := wrong.Position()
		found = append(found, &Error{fmt.Sprintf("%s:%d", path, row), decodeMessage(wrong)})
		without, ok := withoutString(text, row, column)
		if !ok {
			without, ok = withoutValue(text, row)
		}
		if !ok {
			return "", All(found...)
		}
		text = without
	}
	return text, All(found...)
}

// withoutString removes one string of a list, which starts at row and column, because the
// next may be wrong as well. It is false for any other value.
func withoutString(text string, row, column int) (string, bool) {
	lines := strings.Split(text, "\n")
	if row < 1 || row > len(lines) || column < 1 || column > len(lines[row-1]) {
		return "", false
	}
	line := lines[row-1]
	length := quoted().FindStringIndex(line[column-1:])
	if length == nil {
		return "", false
	}
	lines[row-1] = line[:column-1] + line[column-1+length[1]:]
	rest := strings.Join(lines, "\n")
	return rest, isTOML(rest)
}

func isTOML(text string) bool { return toml.Unmarshal([]byte(text), new(map[string]any)) == nil }

// quoted matches a string on one line, with the comma after it.
var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*,?`) })

// mostParsed bounds the search for the end of a value, in bytes: 0.1 s.
const mostParsed = 4 << 20

// withoutValue blanks the value that begins in a row and keeps all others on their lines;
// false if the rest is not valid TOML. A value takes as many rows as it needs, a table all
// up to the next one. Each row is a parse of the whole text, so a long one gets few tries.
func withoutValue(text string, row int) (string, bool) {
	lines := strings.Split(text, "\n")
	if row < 1 || row > len(lines) {
		return "", false
	}
	table := strings.HasPrefix(strings.TrimSpace(lines[row-1]), "[")
	tries := 1 + mostParsed/(len(text)+1)
	for i := row - 1; i < len(lines); i++ {
		if !table && i >= row-1+tries {
			return "", false
		}
		if i >= row && table && strings.HasPrefix(strings.TrimSpace(lines[i]), "[") {
			break
		}
		lines[i] = ""
		if rest := strings.Join(lines, "\n"); !table && isTOML(rest) {
			return rest, true
		}
	}
	rest := strings.Join(lines, "\n")
	return rest, table && isTOML(rest)
}
