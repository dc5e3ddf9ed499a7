package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// offeredOf is what a model is given of a tool with that schema.
func offeredOf(t *testing.T, description, schema string) agent.ToolSpec {
	t.Helper()
	var decoded map[string]any
	require.NoError(t, json.Unmarshal([]byte(schema), &decoded))
	spec, ok := specOf("one", &sdk.Tool{Name: "tool", Description: description, InputSchema: decoded})
	require.True(t, ok)
	return spec
}

func TestNoModelIsOfferedAChoiceAtTheRootOfASchema(t *testing.T) {
	const says = "\n\nThe input must also fit this JSON Schema: "
	for name, row := range map[string]struct{ schema, offered, condition string }{
		"one of several ways": {
			`{"type":"object","anyOf":[{"type":"object","properties":{"content":{"type":"string","description":"the bytes"}},"required":["content"]},{"properties":{"url":{"type":"string"}},"required":["url"]}]}`,
			`{"type":"object","properties":{"content":{"type":"string","description":"the bytes"},"url":{"type":"string"}}}`,
			`{"anyOf":[{"properties":{"content":{"type":"string"}},"required":["content"],"type":"object"},{"properties":{"url":{"type":"string"}},"required":["url"]}]}`,
		},
		"what the root says wins": {
			`{"properties":{"id":{"type":"integer"}},"required":["id"],"oneOf":[{"properties":{"id":{"type":"string"},"a":{}}},{"required":["id"]}]}`,
			`{"type":"object","properties":{"id":{"type":"integer"},"a":{}},"required":["id"]}`,
			`{"oneOf":[{"properties":{"a":{},"id":{"type":"string"}}},{"required":["id"]}]}`,
		},
		"branches that differ": {
			`{"oneOf":[{"properties":{"kind":{"const":"a"}}},{"properties":{"kind":{"const":"b"}}},{"properties":{"kind":{"const":"a"}}}]}`,
			`{"type":"object","properties":{"kind":{"anyOf":[{"const":"a"},{"const":"b"}]}}}`,
			`{"oneOf":[{"properties":{"kind":{"const":"a"}}},{"properties":{"kind":{"const":"b"}}},{"properties":{"kind":{"const":"a"}}}]}`,
		},
		"all of them": {
			`{"required":["a"],"allOf":[{"properties":{"a":true},"required":["a","b"]},{"anyOf":[{"properties":{"c":true},"required":["c"]}]}]}`,
			`{"type":"object","properties":{"a":true,"c":true},"required":["a","b"]}`,
			`{"allOf":[{"properties":{"a":true},"required":["a","b"]},{"anyOf":[{"properties":{"c":true},"required":["c"]}]}]}`,
		},
		"references": {
			`{"$defs":{"a/b":{"properties":{"x":true},"allOf":[{"$ref":"#/$defs/a~1b"}]}},"oneOf":[{"$ref":"#/$defs/a~1b"},{"$ref":"http://elsewhere"},{"$ref":"#/nowhere/at/all"},true]}`,
			`{"type":"object","properties":{"x":true},"$defs":{"a/b":{"properties":{"x":true},"allOf":[{"$ref":"#/$defs/a~1b"}]}}}`,
			`{"oneOf":[{"$ref":"#/$defs/a~1b"},{"$ref":"http://elsewhere"},{"$ref":"#/nowhere/at/all"},true]}`,
		},
		"what OpenAI refuses too": {
			`{"properties":{"a":{"anyOf":[true]}},"not":{"required":["a"]},"enum":[{"a":1}]}`,
			`{"type":"object","properties":{"a":{"anyOf":[true]}}}`,
			`{"enum":[{"a":1}],"not":{"required":["a"]}}`,
		},
	} {
		spec := offeredOf(t, "does it", row.schema)
		require.JSONEq(t, row.offered, string(spec.Schema), name)
		require.Equal(t, "does it"+says+row.condition, spec.Description, name)
	}
	require.Equal(t, "does it", offeredOf(t, "does it", `{"properties":{"a":{"oneOf":[true]}}}`).Description, "below the root it is fine")
	require.True(t, strings.HasPrefix(offeredOf(t, "", `{"anyOf":[]}`).Description, "The input must"))
}

func TestTheChoiceOfASchemaIsToldInBoundedWords(t *testing.T) {
	long := `{"anyOf":[{"required":["` + strings.Repeat("x", 5000) + `"]}]}`
	spec := offeredOf(t, strings.Repeat("漢", 5000), long)
	require.Len(t, []rune(spec.Description), longestDescription)
	_, condition, told := strings.Cut(spec.Description, "JSON Schema: ")
	require.True(t, told)
	require.Len(t, []rune(condition), longestCondition)

	all := strings.Repeat(`{"$ref":"#/$defs/a"},`, 500) + "true"
	require.NotPanics(t, func() { // each of 500 leads to 500, and so on
		spec = offeredOf(t, "", `{"$defs":{"a":{"properties":{"x":true},"allOf":[`+all+`]}},"allOf":[`+all+`]}`)
	})
	require.Contains(t, string(spec.Schema), `"properties":{"x":true}`)
}
