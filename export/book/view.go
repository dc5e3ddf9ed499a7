package book

import (
	"encoding/json"
	"fmt"

	"pawl/agent"
)

// glance describes a tool's view in a few words; empty if it cannot be decoded: the JSON export
// has it.
func (b *Book) glance(stored json.RawMessage) string {
	view, err := agent.DecodeView(stored)
	if err != nil || view == nil {
		return ""
	}
	switch v := view.(type) {
	case agent.PlainView:
		return ""
	case agent.CommandView:
		return Joined(fmt.Sprintf("exit %d", v.ExitCode), v.Note)
	case agent.DiffView:
		return fmt.Sprintf("%s +%d −%d", v.Path, v.Added, v.Removed)
	case agent.ListingView:
		return fmt.Sprintf("%d of %d", len(v.Items), v.Total)
	case agent.TodoView:
		done := 0
		for _, item := range v.Items {
			if item.State == "done" {
				done++
			}
		}
		return fmt.Sprintf("%d of %d done", done, len(v.Items))
	case agent.RunView:
		return "→ " + b.Name(v.Run)
	}
	panic(fmt.Sprintf("export: %T is not in the closed set of views", view))
}
