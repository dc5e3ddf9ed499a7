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
// lines. Its text has a line for each of the first mostFaults.
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

// Unwrap gives each.
func (e Errors) Unwrap() []error {
	var all []error
	for _, one := range e {
		all = append(all, one)
	}
	return all
}

// maxErrors is how many are told. A file of another program has one in each line.
const maxErrors = 20

// All joins what is wrong with settings into one error, so that all of it can be told at
// once: an *Error, or Errors of which each is one. An error of another kind goes before
// them all. Nil where nothing is wrong.
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

// sortByLine sorts what is wrong with a file by its lines. What has no line comes first.
func sortByLine(err error) error {
	all := Errors(nil)
	if errors.As(err, &all) {
		slices.SortStableFunc(all, func(a, b *Error) int { return cmp.Compare(a.row(), b.row()) })
	}
	return err
}

// row is the line of a file at which a setting stands; 0 where none is known.
func (e *Error) row() int {
	row, err := strconv.Atoi(e.Where[strings.LastIndexByte(e.Where, ':')+1:])
	if err != nil {
		return 0
	}
	return row
}
