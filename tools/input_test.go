package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

func all(w *workspace.Workspace) []agent.Tool {
	return []agent.Tool{Read(w), Write(w), Edit(w), Glob(w), Grep(w, nil), List(w), Shell(w, &process.Launcher{}, nil)}
}

func TestInputThatDoesNotFitNamesTheField(t *testing.T) {
	w := plant(t, "-- a --\nx\n")
	tools := map[string]agent.Tool{}
	for _, tool := range all(w) {
		tools[tool.Spec.Name] = tool
	}
	for _, c := range []struct{ tool, input, want string }{
		{"read", `{"file_path": "a"}`, `read: path is missing: it takes a string that is not empty; unknown field "file_path": did you mean "path"? (the fields are path, limit, offset)`},
		{"read", `{"path": "a", "zzz": 1}`, `unknown field "zzz" (the fields are path, limit, offset)`},
		{"read", `{"Path": "a"}`, `unknown field "Path": did you mean "path"?`},
		{"read", `{"path": ""}`, `path takes a string that is not empty, got an empty string`},
		{"read", `{"path": null}`, `path takes a string that is not empty, got null`},
		{"read", `{"path": "a", "offset": "3"}`, `offset takes a whole number of at least 1, got the string "3"`},
		{"read", `{"path": "a", "offset": 1.5}`, `got the number 1.5`},
		{"read", `{"path": "a", "offset": 0}`, `got the number 0`},
		{"read", `{"path": "a", "offset": 1e400}`, `got the number 1e400`},
		{"read", `{"path": ["a"]}`, `got a list of 1`},
		{"read", `["a"]`, `read: the input takes an object with path, limit, offset, got a list of 1`},
		{"read", `null`, `the input takes an object`},
		{"read", ``, `path is missing`},
		{"read", `{"path": "a"`, `the input is not valid JSON (it ends too early): send one object with path, limit, offset`},
		{"read", `{"path": "a"} {}`, `there is more after the object`},
		{"read", `{path: "a"}`, `not valid JSON`},
		{"edit", `{"path": "a"}`, `edits is missing: it takes a list of at least 1, each an object with old, new, all`},
		{"edit", `{"path": "a", "edits": []}`, `got a list of 0`},
		{"edit", `{"path": "a", "edits": [{"old": "x", "new": 3}]}`, `edits[0].new takes a string, got the number 3`},
		{"edit", `{"path": "a", "edits": [{"old_string": "x", "new": "y"}]}`, `edits[0].old is missing`},
		{"edit", `{"path": "a", "edits": [{"old": "x", "new": "y", "all": "yes"}]}`, `edits[0].all takes true or false, got the string "yes"`},
		{"grep", `{"pattern": "x", "mode": "lines"}`, `mode takes one of content, files, count, got the string "lines"`},
		{"grep", `{"pattern": "x", "context": 99}`, `context takes a whole number from 0 to 20, got the number 99`},
		{"shell", `{"command": "true", "timeout_ms": 600001}`, `timeout_ms is at most 600000 where the call waits`},
		{"shell", `{"command": "true", "timeout_ms": 86400001}`, `timeout_ms takes a whole number from 1 to 86400000`},
		{"shell", `{"cmd": true}`, `command is missing`},
		{"glob", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`, `; and 2 more`},
	} {
		t.Run(c.tool+" "+c.input, func(t *testing.T) {
			result := useRaw(t, tools[c.tool], c.input)
			require.True(t, result.IsError)
			require.Contains(t, result.Text, c.want)
			require.NotContains(t, result.Text, "\n")
		})
	}
}

func TestInputThatModelsMayWrite(t *testing.T) {
	w := plant(t, "-- a --\nx\ny\n")
	for _, input := range []string{
		`{"path": "a", "offset": null}`, `{"path": "a", "offset": 1.0}`, `{"path": "a", "limit": 2e0}`, ` {"path": "a"} `,
	} {
		require.False(t, useRaw(t, Read(w), input).IsError, input)
	}
	require.False(t, useRaw(t, List(w), "").IsError)
}

func TestSchemasAreClosedObjects(t *testing.T) {
	for _, tool := range all(plant(t, "")) {
		var s schema
		require.NoError(t, json.Unmarshal(tool.Spec.Schema, &s))
		require.Equal(t, "object", s.Type)
		require.False(t, *s.Closed, tool.Spec.Name)
		require.NotEmpty(t, tool.Spec.Description)
		for name, field := range s.Properties {
			require.NotEmpty(t, field.Description, "%s.%s", tool.Spec.Name, name)
		}
		require.Equal(t, tool.ReadOnly, tool.Effect == nil)
	}
}

func TestLabelsBearAnyInput(t *testing.T) {
	w := plant(t, "")
	require.Equal(t, "go test ./... && true", Shell(w, &process.Launcher{}, nil).Label([]byte(`{"command": "go test ./...\n\t&& true", "x": 1}`)))
	for _, tool := range all(w) {
		for _, input := range hostile() {
			require.NotContains(t, tool.Label(json.RawMessage(input)), "\n")
		}
	}
}

// hostile are inputs of every wrong kind.
func hostile() []string {
	inputs := []string{
		``, ` `, `null`, `true`, `0`, `-1`, `1e999`, `""`, `"x"`, `[]`, `[[[]]]`, `{}`, `{"":""}`, `{`, `}`, `{]`, "\x00", "\xff\xfe",
		`{"path":`, `{"path":"a"}{"path":"b"}`, `{"path":{"path":{}}}`, `{"path":"\ud800"}`, `{"path":"a\u0000b"}`, `{"path":"a/\n/b"}`,
		`{"pattern":"\\"}`, `{"pattern":"[[:x:]]"}`, `{"pattern":"{{{{"}`, `{"pattern":"**/**/**/**/**"}`, `{"pattern":"(((((((((x*)*)*)*)*)*)*)*)*"}`,
		`{"path":"a","edits":[null]}`, `{"path":"a","edits":[[]]}`, `{"path":"a","edits":{}}`, `{"path":"a","edits":[{"old":"x","new":"x"}]}`,
		`{"command":""}`, `{"command":" \n"}`, `{"command":"a\u0000b"}`, `{"command":"exit 3","timeout_ms":1}`, `{"command":"\"'"}`,
		strings.Repeat("[", 20_000), `{"path":"` + strings.Repeat("x/", 5000) + `"}`, `{"command":"` + strings.Repeat("x", 200_000) + `"}`,
	}
	for _, value := range []string{`null`, `true`, `-5`, `99999999999999999999`, `"x"`, `[]`, `{}`} {
		for _, field := range []string{"path", "content", "edits", "pattern", "offset", "glob", "depth", "command", "mode"} {
			inputs = append(inputs, fmt.Sprintf(`{%q: %s}`, field, value))
		}
	}
	return inputs
}

func TestNoInputPanics(t *testing.T) {
	w := plant(t, "-- a --\nx\n")
	for _, tool := range all(w) {
		for _, input := range hostile() {
			call := agent.Invocation{Call: "c", Input: json.RawMessage(input)}
			if tool.Effect != nil {
				_, _ = tool.Effect(t.Context(), call)
			}
			require.NotEmpty(t, tool.Run(t.Context(), call).Text)
		}
	}
}

func FuzzInput(f *testing.F) {
	for _, input := range hostile() {
		f.Add([]byte(input))
	}
	w, err := workspace.Open(f.TempDir())
	require.NoError(f, err)
	f.Cleanup(func() { w.Close() })
	tools := []agent.Tool{Read(w), Write(w), Edit(w), Glob(w), Grep(w, nil), List(w)}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, tool := range tools {
			call := agent.Invocation{Call: "c", Input: raw}
			_ = tool.Label(raw)
			if tool.Effect != nil {
				_, _ = tool.Effect(t.Context(), call)
			}
			if tool.Run(t.Context(), call).Text == "" {
				t.Fatalf("%s: no text for %q", tool.Spec.Name, raw)
			}
		}
	})
}
