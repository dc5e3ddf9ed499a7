package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// SearchName is the name of the tool that finds others.
const SearchName = "tool_search"

const (
	mostFoundTools = 8       // tools in one answer
	longestFound   = 24_000  // characters of an answer
	unknownContext = 100_000 // tokens that a model of an unknown size is taken to have
)

// RoomForServers is how many tokens the tools of MCP servers may take in the requests to a model
// before they are found by a search: by the setting tools.search and the model's context in tokens,
// 0 if that is not known. It is negative for no limit.
func RoomForServers(setting string, context int) int64 {
	switch setting {
	case "always":
		return 0
	case "never":
		return -1
	}
	if context <= 0 {
		context = unknownContext
	}
	return int64(context) / 10
}

// OnDemand parts tools into those that a model is told of and those that it has to search for: where
// the tools of servers take more than room, whole servers are hidden, the largest first, until the
// rest fits. The order of what is offered stays. With hidden tools the tool that finds them is added.
func OnDemand(all []agent.Tool, room int64) (offered, hidden []agent.Tool) {
	sizes := map[string]int64{}
	total := int64(0)
	for _, tool := range all {
		if tool.Server != "" {
			size := agent.ToolTokens(tool.Spec)
			sizes[tool.Server], total = sizes[tool.Server]+size, total+size
		}
	}
	if room < 0 || total <= room {
		return all, nil
	}
	servers := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		if sizes[a] != sizes[b] {
			return int(sizes[b] - sizes[a])
		}
		return strings.Compare(a, b)
	})
	away := map[string]bool{}
	for _, server := range servers {
		if total <= room {
			break
		}
		away[server] = true
		total -= sizes[server]
	}
	for _, tool := range all {
		if away[tool.Server] && tool.Server != "" {
			hidden = append(hidden, tool)
		} else {
			offered = append(offered, tool)
		}
	}
	return append(offered, ToolSearch(hidden)), hidden
}

type searchInput struct {
	Query string `json:"query"`
}

// ToolSearch finds tools that the model is not told of, and offers them.
func ToolSearch(hidden []agent.Tool) agent.Tool {
	in := newInput[searchInput](SearchName, `{"type": "object", "additionalProperties": false, "required": ["query"], "properties": {
		"query": {"type": "string", "minLength": 1, "description": "what you want to do, in a few words, or a part of a name"}}}`)
	tool := reading(in, "query", func(_ context.Context, args searchInput) (agent.Result, error) {
		return foundTools(hidden, args.Query), nil
	})
	tool.Spec.Description = strings.TrimSpace(tool.Spec.Description) + "\n\nIt finds tools of " + serversOf(hidden) + ".\n"
	return tool
}

// serversOf names servers with the number of their tools: "github (80 tools) and jira (40 tools)".
func serversOf(hidden []agent.Tool) string {
	counts := map[string]int{}
	for _, tool := range hidden {
		counts[tool.Server]++
	}
	var names []string
	for _, server := range slices.Sorted(maps.Keys(counts)) {
		names = append(names, server+" ("+words.Count(counts[server], "tool")+")")
	}
	return words.List(names)
}

// foundTools is the answer to one search.
func foundTools(hidden []agent.Tool, query string) agent.Result {
	best := rank(hidden, query)
	if len(best) == 0 {
		return agent.Result{Text: fmt.Sprintf("Nothing of %s fits %q. Try other words, or a server's name alone.", serversOf(hidden), words.CutLine(query, 100))}
	}
	var text strings.Builder
	var result agent.Result
	for _, tool := range best {
		one := fmt.Sprintf("%s\n%s\nIt takes: %s\n\n", tool.Spec.Name, strings.TrimSpace(tool.Spec.Description), tool.Spec.Schema)
		if len(result.Offers) > 0 && text.Len()+len(one) > longestFound {
			break
		}
		text.WriteString(words.CutBytes(one, longestFound))
		result.Offers = append(result.Offers, tool.Spec.Name)
	}
	result.Text = "You can call these from now on:\n\n" + strings.TrimSpace(text.String())
	result.View = agent.PlainView{Text: strings.Join(result.Offers, "\n")}
	return result
}
