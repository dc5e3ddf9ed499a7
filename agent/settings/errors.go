package settings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Errors are several settings that cannot be used, those of a file in the order of its
// lines. Its text has a line for each of the first maxErrors.
type Errors []*Error

func (e Errors) Error() string {
	var lines []string
	for _, one := range e[:min(maxErrors, len(e))] {
		lines = append(lines, one.Error())
	}
	if more := len(e) - maxErrors; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more settings that cannot be used", more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns each error.
func (e Errors) Unwrap() []error {
	var all []error
	for _, one := range e {
		all = append(all, one)
	}
	return all
}

// maxErrors is how many errors are shown. A file of another program has one on every line.
const maxErrors = 20

// All joins errors about settings, so that they can be reported at once: an *Error, or
// Errors. An error of another type is returned instead of them. Nil if there is none.
func All(found ...error) error {
	var all Errors
	for _, err := range found {
		several, one := Errors(nil), (*Error)(nil)
		switch {
		case err == nil:
		case errors.As(err, &several):
			all = append(all, several...)
		case errors.As(err, &one):
			all = append(all, one)
		default:
			return err
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// sortByLine sorts the errors of a file by line. Those without a line come first.
func sortByLine(err error) error {
	all := Errors(nil)
	if errors.As(err, &all) {
		slices.SortStableFunc(all, func(a, b *Error) int { return cmp.Compare(a.row(), b.row()) })
	}
	return err
}

// row is the line number in Where; 0 if there is none.
func (e *Error) row() int {
	row, _ := strconv.Atoi(e.Where[strings.LastIndexByte(e.Where, ':')+1:]) // 0 with an error
	return row
}
