package mcp

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAToolsNameIsFitStableAndItsOwn(t *testing.T) {
	require.Equal(t, "mcp__git__log", toolName("git", "log"))
	require.Equal(t, "mcp__git-hub__get_me", toolName("git-hub", "get_me"))
	long := toolName("git", strings.Repeat("x", 100))
	require.Len(t, long, longestName)
	require.Equal(t, long, toolName("git", strings.Repeat("x", 100)))
	require.NotEqual(t, long, toolName("git", strings.Repeat("x", 101)))

	server := rapid.StringMatching(`[a_]{1,4}|[A-Za-z0-9_-]{1,64}`)
	tool := rapid.OneOf(rapid.StringMatching(`[a_]{0,4}`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		s1, t1 := server.Draw(t, "server"), tool.Draw(t, "tool")
		s2, t2 := server.Draw(t, "other server"), tool.Draw(t, "other tool")
		one, two := toolName(s1, t1), toolName(s2, t2)
		require.Regexp(t, `^[A-Za-z0-9_-]{1,64}$`, one)
		require.Equal(t, s1 == s2 && t1 == t2, one == two, "%s, %s", one, two)
	})
}

func TestASchemaIsAnObjectThatListsItsProperties(t *testing.T) {
	for name, row := range map[string]struct {
		schema any
		want   string // empty: no model is given the tool
	}{
		"none listed":    {map[string]any{"type": "object"}, `{"properties":{},"type":"object"}`},
		"nothing at all": {map[string]any{}, `{"properties":{},"type":"object"}`},
		"all of it":      {map[string]any{"type": "object", "properties": map[string]any{"a": true}, "required": []any{"a"}}, `{"properties":{"a":true},"required":["a"],"type":"object"}`},
		"an array":       {map[string]any{"type": "array"}, ""},
		"no schema":      {nil, ""},
		"too long":       {map[string]any{"type": "object", "description": strings.Repeat("x", longestSchema)}, ""},
	} {
		spec, ok := specOf("one", &sdk.Tool{Name: "tool", Title: "its title", InputSchema: row.schema})
		require.Equal(t, row.want != "", ok, name)
		require.Equal(t, row.want, string(spec.Schema), name)
		if ok {
			require.Equal(t, "its title", spec.Description, "where there is no description")
		}
	}
}
