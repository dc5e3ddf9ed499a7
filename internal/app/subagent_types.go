package app

import (
	"fmt"

	"pawl/agent/types"
	"pawl/internal/base"
)

// BadTypes is one line about type files that cannot be used; empty if there are none.
func BadTypes(found types.Found) string {
	if len(found.Problems) == 0 {
		return ""
	}
	line := "agent type " + base.Remark(found.Problems[0])
	if more := len(found.Problems) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: pawl agents)", more)
	}
	return line
}
