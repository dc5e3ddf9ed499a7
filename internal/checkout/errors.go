package checkout

import (
	"slices"
	"strings"
)

// together is several errors in one line; nil if there are none. Where work is done side by side, and all
// of it fails in the same way, that is said once.
func together(errs ...error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	return several(errs)
}

type several []error

func (s several) Error() string {
	var says []string
	for _, err := range s {
		says = append(says, err.Error())
	}
	return strings.Join(unique(says), "; ")
}

func (s several) Unwrap() []error { return s }
