package ui

import (
	"slices"

	"pawl/agent"
)

// reach lists what a text names outside the folder and its user wrote or dropped
// there: what came with a paste they may not have read.
func (m *model) reach(text string) []string {
	return slices.DeleteFunc(agent.Reach(text), func(name string) bool {
		return m.brought[agent.Mention{Name: name}.Bare()]
	})
}

// mistrust notes what a pasted text names there.
func (m *model) mistrust(pasted string) {
	for _, name := range agent.Reach(pasted) {
		if m.brought == nil {
			m.brought = map[string]bool{}
		}
		m.brought[agent.Mention{Name: name}.Bare()] = true
	}
}
