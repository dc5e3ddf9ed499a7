package main

import (
	"fmt"

	"pawl/agent/types"
	"pawl/tools"
)

// findTypes reads the subagent types that there are in this folder.
func (b *base) findTypes() types.Found {
	return types.Load(types.Options{
		Config: b.folders.Config, Folder: b.world.folder,
		Tools: tools.WorkingNames(), Delegation: tools.DelegationNames(),
		CheckModel: b.models.Check, ClaudeModel: b.models.Claude,
	})
}

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
func spelled(r types.Remark) string { return shorten(r.Where) + ": " + r.Text }
