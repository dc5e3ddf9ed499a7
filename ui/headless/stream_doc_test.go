package headless

import (
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// streamSchema is the schema of the stream's lines, or that of its input.
func streamSchema(t *testing.T, ref string) *jsonschema.Resolved {
	t.Helper()
	load := func(name string) *jsonschema.Schema {
		text, err := os.ReadFile("../../export/jsondoc/" + name)
		require.NoError(t, err)
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal(text, &schema))
		return &schema
	}
	schema := load("stream.schema.json")
	if ref != "" {
		schema.OneOf, schema.Ref = nil, ref
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{Loader: func(*url.URL) (*jsonschema.Schema, error) {
		return load("schema.json"), nil
	}})
	require.NoError(t, err)
	return resolved
}

// requireLine holds one line to a schema.
func requireLine(t *testing.T, schema *jsonschema.Resolved, line string) map[string]any {
	t.Helper()
	var value map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &value), line)
	require.NoError(t, schema.Validate(value), line)
	return value
}

// documented are the examples of a page behind this fence, line by line.
func documented(t *testing.T, page, fence string) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	require.NoError(t, err)
	var lines []string
	for _, block := range regexp.MustCompile("(?s)\n```"+fence+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	require.NotEmpty(t, lines)
	return lines
}

func TestEveryLineThatIsDocumentedIsOneOfTheStream(t *testing.T) {
	schema := streamSchema(t, "")
	types := map[any]bool{}
	for _, line := range documented(t, "stream-json.md", "json") {
		value := requireLine(t, schema, line)
		types[value["type"]] = true
		require.NotEmpty(t, value["type"], line)
		require.Equal(t, value["type"] == typeRecord, value["event"] != nil, line)
		if value["event"] != nil {
			var rec lifecycle.Record
			require.NoError(t, json.Unmarshal([]byte(line), &rec))
		}
	}
	for _, name := range []string{typeRecord, typeOpening, typePartial, typeReply, typeIdle, typeResult} {
		require.True(t, types[name], "%s has no example", name)
	}
}

func TestEveryOrderIsDocumentedAndIsTaken(t *testing.T) {
	schema := streamSchema(t, "#/$defs/input")
	var seen []string
	for _, line := range documented(t, "stream-json.md", "json input") {
		value := requireLine(t, schema, line)
		_, _, err := readOrder([]byte(line), orders(), "root")
		require.NoError(t, err, line)
		seen = append(seen, value["type"].(string))
	}
	text, err := os.ReadFile("../../docs/stream-json.md")
	require.NoError(t, err)
	for _, name := range namesOf(orders()) {
		require.True(t, slices.Contains(seen, name), "%s has no example", name)
		require.Contains(t, string(text), "`"+name+"`")
	}
}

func TestEveryLineOfTheSocketThatIsDocumentedIsOne(t *testing.T) {
	schema, client := streamSchema(t, ""), streamSchema(t, "#/$defs/client")
	var types, seen []string
	for _, line := range documented(t, "socket.md", "json") {
		types = append(types, requireLine(t, schema, line)["type"].(string))
	}
	require.ElementsMatch(t, []string{"refused", "status", "landing", "rewind", "rewind"}, types)
	for _, line := range documented(t, "socket.md", "json input") {
		seen = append(seen, requireLine(t, client, line)["type"].(string))
		_, asked, err := readOrder([]byte(line), clientOrders(), "root")
		require.NoError(t, err, line)
		require.True(t, asked.watch != nil || asked.status != nil || asked.land != nil || asked.rewind != nil, line)
		_, _, err = readOrder([]byte(line), orders(), "root")
		require.ErrorContains(t, err, "unknown type", "it is of a socket alone")
	}
	for _, name := range namesOf(clientOrders())[len(orders()):] {
		require.Contains(t, seen, name)
	}
}

// The schema is no rubber stamp.
func TestTheSchemaOfTheStreamRefuses(t *testing.T) {
	schema, input := streamSchema(t, ""), streamSchema(t, "#/$defs/input")
	for _, line := range []string{
		`{"seq":7,"time":"2026-11-22T10:57:14Z","root":"a","session":"a","run":"b","event":"started"}`,
		`{"type":"record","seq":7,"time":"2026-11-22T10:57:14Z","root":"a","session":"a","run":"b","event":"started","more":1}`,
		`{"type":"idle"}`, `{"type":"idle","seq":1,"event":"started"}`, `{"type":"reply","line":1,"ok":false}`,
		`{"type":"reply","line":1,"ok":true,"error":"no"}`, `{"type":"other"}`,
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(line), &value))
		require.Error(t, schema.Validate(value), line)
	}
	for _, line := range []string{`{"type":"message"}`, `{"type":"answer","question":"q","answer":"yes"}`, `{"type":"other"}`} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(line), &value))
		require.Error(t, input.Validate(value), line)
	}
}
