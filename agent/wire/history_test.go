package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func TestInputIsAlwaysAnObject(t *testing.T) {
	for input, want := range map[string]string{
		"": `{}`, " \n": `{}`, `{}`: `{}`, ` {"a": 1} `: `{"a": 1}`,
		`{"half": "`: `{"_invalid":"{\"half\": \""}`, `[1]`: `{"_invalid":"[1]"}`, `null`: `{"_invalid":"null"}`,
		`"x"`: `{"_invalid":"\"x\""}`, `{} {}`: `{"_invalid":"{} {}"}`, ` x`: `{"_invalid":" x"}`, "{\"a\":\"\x01\"}": `{"_invalid":"{\"a\":\"\u0001\"}"}`,
		`{"e": "\ud83d!", "n": 12345678901234567890}`: `{"e":"�!","n":12345678901234567890}`,
		`{"e": "\uD83D\uDE00"}`:                       `{"e":"😀"}`,
		"{\"bad\": \"\xff\"}":                         "{\"bad\": \"\xff\"}",
	} {
		require.Equal(t, want, string(Object(json.RawMessage(input))), "input %q", input)
	}
}

func TestCallIDs(t *testing.T) {
	ids := CallIDsOf([]agent.Message{agent.Say("hi"), {Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "so"}, {Call: &agent.Call{ID: "call_0"}}}}})
	require.Equal(t, CallIDs{"call_0": true}, ids)
	require.Equal(t, lifecycle.CallID("call_1"), ids.Take("call_1"))
	seen := map[lifecycle.CallID]bool{}
	for _, given := range []string{"", "", "call_0", "call_1"} {
		id := ids.Take(given)
		require.False(t, seen[id])
		seen[id] = true
		require.Regexp(t, `^call_[0-9a-f]{32}$`, string(id))
		require.True(t, ids[id])
	}
	long := lifecycle.CallID(strings.Repeat("x", 41))
	require.Equal(t, "call_0", ShortCallID("call_0", 40))
	require.LessOrEqual(t, len(ShortCallID(long, 40)), 40)
	require.Equal(t, ShortCallID(long, 40), ShortCallID(long, 40))
	require.NotEqual(t, ShortCallID(long, 40), ShortCallID(long+"x", 40))
}

func TestIdentifiers(t *testing.T) {
	require.Equal(t, "functions_read_file-1", Identifier("functions.read file-1", "", 64))
	require.Equal(t, "a.b:c_", Identifier("a.b:cä", ".:", 64))
	require.Equal(t, "", Identifier("", "", 64))
	require.Equal(t, "___", Identifier("äöü!", "", 3))
}

func TestSchemasListTheirProperties(t *testing.T) {
	for given, want := range map[string]string{
		``: `{"type":"object","properties":{}}`, `[]`: `{"type":"object","properties":{}}`, `{"type":"object"}`: `{"type":"object","properties":{}}`,
		`{"properties":{"n":{"maximum":60000}},"required":["n"]}`: `{"type":"object","properties":{"n":{"maximum":60000}},"required":["n"]}`,
	} {
		got, err := json.Marshal(Schema(json.RawMessage(given)))
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
	}
	specs := []agent.ToolSpec{{Name: "b"}, {Name: "a"}}
	require.Equal(t, []agent.ToolSpec{{Name: "a"}, {Name: "b"}}, Sorted(specs))
	require.Equal(t, "b", specs[0].Name, "the request is not ours to change")
}

func TestCacheKeyHoldsForASession(t *testing.T) {
	req := agent.Request{Model: "m", System: "s", Messages: []agent.Message{agent.Say("hi")}}
	first := CacheKey(req)
	require.Regexp(t, `^[0-9a-f]{32}$`, first)
	req.Messages = append(req.Messages, agent.Say("more"))
	require.Equal(t, first, CacheKey(req))
	req.Messages = req.Messages[1:]
	require.NotEqual(t, first, CacheKey(req))
}

func TestImages(t *testing.T) {
	png := agent.Image{MediaType: "image/png", Data: []byte("png")}
	require.Equal(t, "data:image/png;base64,cG5n", DataURL(png))
	require.Equal(t, "[an image of type image/png was left out: it cannot be shown to this model]", ImageOmitted(png))
}
