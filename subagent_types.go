package main

import (
	"fmt"

	"pawl/agent/types"
	"pawl/internal/base"
)

// badTypes is the line about files of types that cannot be used; empty where there
// are none.
func badTypes(found types.Found) string {
	if len(found.Problems) == 0 {
		return ""
	}
	line := "agent type " + spelled(found.Problems[0])
	if more := len(found.Problems) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: pawl agents)", more)
	}
	return line
}

// spelled is a remark with its file as people write it.
func spelled(r types.Remark) string { return base.ShortPath(r.Where) + ": " + r.Text }
