package main

import (
	"fmt"
	"strings"

	"pawl/agent/types"
	"pawl/tools"
)

// findTypes reads the subagent types that there are in this folder.
func (b *base) findTypes() types.Found {
	return types.Load(types.Options{
		Config: b.folders.Config, Folder: b.world.folder,
		Tools: tools.WorkingNames(), Delegation: tools.DelegationNames(),
		CheckModel: b.models.check, ClaudeModel: b.models.ofClaude,
	})
}

// ofClaude finds what Claude Code's word for a model means: a name of its maker's,
// or a family, of which only that of the model built in is known. Without the
// maker's key there is none.
func (m *models) ofClaude(word string) (model string, ok bool) {
	const maker = "anthropic"
	for _, of := range makers() {
		if of.name != maker || m.env(of.variable) == "" {
			continue
		}
		switch {
		case strings.HasPrefix(word, "claude-"):
			return maker + "/" + word, true
		case word != "" && strings.HasPrefix(of.fallback, "claude-"+word+"-"):
			return maker + "/" + of.fallback, true
		}
	}
	return "", false
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
