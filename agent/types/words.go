package types

import (
	"cmp"
	"strings"

	"pawl/agent"
)

// ToolWords describes the tools of a type: "all without edit", "read, grep" or "none".
func ToolWords(t agent.Type) string {
	text := "all"
	switch {
	case t.Tools != nil && len(t.Tools) == 0:
		return "none"
	case t.Tools != nil:
		text = strings.Join(t.Tools, ", ")
	}
	if len(t.Without) > 0 {
		text += " without " + strings.Join(t.Without, ", ")
	}
	if t.Servers != nil {
		text += "; MCP servers: " + cmp.Or(strings.Join(t.Servers, ", "), "none")
	}
	return text
}
