package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
	"pawl/internal/words"
)

// Limits of what a server may show to a model.
const (
	mostTools          = 500
	mostPages          = 100
	longestDescription = 2000     // characters
	longestSchema      = 64 << 10 // bytes
)

// offered is one tool of a server.
type offered struct {
	tool string // the server's name for it
	spec agent.ToolSpec
}

// offer is a server's tools, and the names of those that can only be called as tasks, which
// models are not given, and what it offers to people.
type offer struct {
	tools []offered
	tasks []string
	extra extra
}

// list reads all pages of a server's tools. It leaves out tools that no model could be given:
// with a schema that is too long or not an object's, or a name that comes twice.
func (c *connection) list(ctx context.Context, server string) (offer, error) {
	var all []offered
	var tasks []string
	var cursor string
	if c.toolless() {
		return offer{}, nil
	}
	c.link.observer.forget()
	for range mostPages {
		page, err := c.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return offer{}, fmt.Errorf("list its tools: %w", err)
		}
		for _, tool := range page.Tools {
			if c.link.observer.needsTask(tool.Name) {
				if len(tasks) < mostTools {
					tasks = append(tasks, line(tool.Name, lineLength))
				}
				continue
			}
			if spec, ok := specOf(server, tool); ok && len(all) < mostTools {
				all = append(all, offered{tool.Name, spec})
			}
		}
		if cursor = page.NextCursor; cursor == "" || len(all) == mostTools {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b offered) int { return strings.Compare(a.spec.Name, b.spec.Name) })
	all = slices.CompactFunc(all, func(a, b offered) bool { return a.spec.Name == b.spec.Name })
	return offer{tools: all, tasks: tasks}, nil
}

// toolless reports that a server has no tools, but something else.
func (c *connection) toolless() bool {
	has := c.session.InitializeResult()
	return has != nil && has.Capabilities != nil && has.Capabilities.Tools == nil && (has.Capabilities.Prompts != nil || has.Capabilities.Resources != nil)
}

func specOf(server string, tool *sdk.Tool) (agent.ToolSpec, bool) {
	schema, ok := tool.InputSchema.(map[string]any)
	if !ok {
		return agent.ToolSpec{}, false
	}
	if kind, given := schema["type"]; given && kind != "object" {
		return agent.ToolSpec{}, false
	}
	if text, err := json.Marshal(schema); err != nil || len(text) > longestSchema { // before anything is done with it
		return agent.ToolSpec{}, false
	}
	schema["type"] = "object"
	condition := unbranch(schema)
	if _, given := schema["properties"]; !given { // some providers require the field
		schema["properties"] = map[string]any{}
	}
	text, err := json.Marshal(schema)
	if err != nil || len(text) > longestSchema {
		return agent.ToolSpec{}, false
	}
	description := tool.Description
	if strings.TrimSpace(description) == "" {
		description = tool.Title
	}
	if condition != "" { // a long description is cut, and its end would be what goes
		description = strings.TrimSpace(words.Cut(description, longestDescription-utf8.RuneCountInString(condition)-2) + "\n\n" + condition)
	}
	return agent.ToolSpec{
		Name: toolName(server, tool.Name), Description: words.Cut(description, longestDescription), Schema: text,
	}, true
}
