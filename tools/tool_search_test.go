package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// served is a tool of a server.
func served(server, name, description, schema string) agent.Tool {
	return agent.Tool{Server: server, Spec: agent.ToolSpec{Name: "mcp__" + server + "__" + name, Description: description, Schema: json.RawMessage(schema)}}
}

// many are tools of a server with schemas of some size.
func many(server string, count, size int) (all []agent.Tool) {
	for i := range count {
		all = append(all, served(server, fmt.Sprintf("tool_%d", i), strings.Repeat("x", size), `{"type":"object"}`))
	}
	return all
}

func toolNames(all []agent.Tool) (names []string) {
	for _, tool := range all {
		names = append(names, tool.Spec.Name)
	}
	return names
}

func TestServersWithTooManyToolsAreSearched(t *testing.T) {
	own := []agent.Tool{{Spec: agent.ToolSpec{Name: "read", Description: strings.Repeat("x", 4000)}}}
	all := slices.Concat(own, many("big", 10, 4000), many("small", 2, 400), many("tiny", 1, 40))
	for _, room := range []int64{-1, 20_000} {
		offered, hidden := OnDemand(all, room)
		require.Equal(t, all, offered)
		require.Empty(t, hidden)
	}
	offered, hidden := OnDemand(all, 1000)
	require.Equal(t, []string{"read", "mcp__small__tool_0", "mcp__small__tool_1", "mcp__tiny__tool_0", "tool_search"}, toolNames(offered), "their order stays")
	require.Len(t, hidden, 10)
	require.Contains(t, offered[4].Spec.Description, "It finds tools of big (10 tools).")
	offered, hidden = OnDemand(all, 0)
	require.Equal(t, []string{"read", "tool_search"}, toolNames(offered))
	require.Len(t, hidden, 13)
	offered, hidden = OnDemand(own, 0)
	require.Equal(t, own, offered)
	require.Empty(t, hidden)

	require.Equal(t, int64(20_000), RoomForServers("", 200_000))
	require.Equal(t, int64(10_000), RoomForServers("auto", 0))
	require.Equal(t, int64(0), RoomForServers("always", 200_000))
	require.Negative(t, RoomForServers("never", 200_000))
}

// catalog is what some servers have.
func catalog() []agent.Tool {
	const none = `{"type":"object","properties":{}}`
	return []agent.Tool{
		served("github", "create_issue", "Open a new issue in a repository", `{"type":"object","properties":{"title":{},"body":{}}}`),
		served("github", "list_issues", "List issues of a repository", none),
		served("github", "createPullRequest", "Open a pull request", none),
		served("github", "merge_pull_request", "Merge a pull request", none),
		served("github", "search_code", "Search code in all repositories", none),
		served("jira", "create_ticket", "Create a ticket, which others call an issue", none),
		served("jira", "assign", "Give a ticket to a person", `{"type":"object","properties":{"assignee":{}}}`),
		served("weather", "forecast", "What the weather will be", `{"type":"object","properties":{"city":{"description":"where"}}}`),
	}
}

func TestASearchFindsWhatFitsBestFirst(t *testing.T) {
	for query, want := range map[string]string{
		"create an issue":            "mcp__github__create_issue",
		"open pull request":          "mcp__github__createPullRequest",
		"merge":                      "mcp__github__merge_pull_request",
		"assignee of a ticket":       "mcp__jira__assign",
		"will it rain in this city?": "mcp__weather__forecast",
		"weather":                    "mcp__weather__forecast",
		"mcp__jira__assign":          "mcp__jira__assign",
		"listing the issues":         "mcp__github__list_issues",
		"find code in a repository":  "mcp__github__search_code",
		"jira":                       "mcp__jira__",
	} {
		result := foundTools(catalog(), query)
		require.NotEmpty(t, result.Offers, query)
		require.True(t, strings.HasPrefix(result.Offers[0], want), "%s: %v", query, result.Offers)
		shuffled := catalog()
		slices.Reverse(shuffled)
		require.Equal(t, result, foundTools(shuffled, query), "whatever their order")
	}
	result := foundTools(catalog(), "create an issue")
	require.True(t, strings.HasPrefix(result.Text, "You can call these from now on:\n\nmcp__github__create_issue\nOpen a new issue in a repository\nIt takes: {"), result.Text)
	for _, nothing := range []string{"xyzzy", "the tool of it", "?"} {
		result := foundTools(catalog(), nothing)
		require.Empty(t, result.Offers, nothing)
		require.Contains(t, result.Text, "Nothing of github (5 tools), jira (2 tools) and weather (1 tool) fits")
	}
}

func TestAnAnswerOfASearchIsBounded(t *testing.T) {
	var all []agent.Tool
	for i := range 30 {
		all = append(all, served("big", fmt.Sprintf("issue_%d", i), strings.Repeat("words ", 1000), `{"type":"object"}`))
	}
	result := foundTools(all, "issue")
	require.NotEmpty(t, result.Offers)
	require.Less(t, len(result.Text), resultText)
	require.Len(t, result.Offers, strings.Count(result.Text, "It takes:"))
	one := served("big", "issue", strings.Repeat("w", 100_000), `{"type":"object"}`)
	result = foundTools([]agent.Tool{one}, "issue")
	require.Len(t, result.Offers, 1)
	require.Less(t, len(result.Text), resultText)
}
