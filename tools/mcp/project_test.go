package mcp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAProjectsFileIsReadAsOtherToolsHaveIt(t *testing.T) {
	specs, err := ParseProject([]byte(`{"version": 2, "mcpServers": {
		"web": {"type": "http", "url": "https://mcp.example.com/${PLACE:-mcp}", "headers": {"Authorization": "Bearer ${TOKEN}"}, "note": 1},
		"bare": {"url": "http://127.0.0.1:9/mcp"},
		"disk": {"command": "npx", "args": ["-y", "a server", "${ROOT}"], "env": {"DEBUG": "1"}},
		"old": {"type": "sse", "url": "https://x"},
		"none": {},
		"wrong": {"command": "x", "args": "-y"},
		"worse": {"command": ["x"]},
		"worst": 5,
		"bad name": {"command": "x"}}}`))
	require.NoError(t, err)
	byName := map[string]Spec{}
	for _, spec := range specs {
		require.True(t, spec.Project)
		require.Equal(t, ProjectFile, spec.From)
		byName[spec.Name] = spec
	}
	require.Equal(t, []string{"npx", "-y", "a server", "${ROOT}"}, byName["disk"].Command)
	require.Equal(t, `npx -y "a server" ${ROOT}`, byName["disk"].Brief())
	require.Equal(t, []string{"DEBUG"}, byName["disk"].Given())
	require.Equal(t, []string{"ROOT"}, byName["disk"].Reads())
	require.Equal(t, []string{"PLACE", "TOKEN"}, byName["web"].Reads())
	require.Equal(t, []string{"Authorization"}, byName["web"].Given())
	require.Equal(t, "http://127.0.0.1:9/mcp", byName["bare"].Brief())
	for name, wrong := range map[string]string{
		"disk": "", "web": "", "bare": "",
		"old":      "its type is sse, which is no longer supported: use the server's address for http",
		"none":     "it has neither a command nor a url",
		"wrong":    "mcpServers.wrong.args is string, but must be a list of strings",
		"worse":    "mcpServers.worse.command is array, but must be a string",
		"worst":    "mcpServers.worst is number, but must be an object",
		"bad name": `"bad name" cannot be a server's name: it has 1 to 64 letters, digits, _ or -`,
	} {
		require.Equal(t, wrong, byName[name].Wrong, name)
	}
}

func TestAFileThatIsNoneIsNamedInALine(t *testing.T) {
	for text, wants := range map[string]string{
		"":                   ".mcp.json: not valid JSON: unexpected end of JSON input",
		"[]":                 ".mcp.json: it is array, but must be an object",
		`{"mcpServers": []}`: ".mcp.json: mcpServers is array, but must be an object",
	} {
		_, err := ParseProject([]byte(text))
		require.EqualError(t, err, wants)
	}
	none, err := ParseProject([]byte(`{}`))
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestVariablesArePutInWhereTheyAreAskedFor(t *testing.T) {
	v := newEnvironment([]string{"A=1", "EMPTY=", "KEY=sk"}, []string{"KEY"})
	full, err := Spec{Command: []string{"$A ${A}${A} ${", "${EMPTY}", "${EMPTY:-x}", "${NO:-}"}, Env: map[string]string{"B": "${A}"}}.expanded(v)
	require.NoError(t, err)
	require.Equal(t, []string{"$A 11 ${", "", "x", ""}, full.Command)
	require.Equal(t, map[string]string{"B": "1"}, full.Env)

	keyed := Spec{URL: "http://h/", From: ProjectFile, Headers: map[string]string{"X": "${KEY}"}}
	full, err = keyed.expanded(v)
	require.NoError(t, err)
	require.Equal(t, "sk", full.Headers["X"], "the user's own servers get what the user says")
	require.Equal(t, "${KEY}", keyed.Headers["X"], "a value is not changed")
	keyed.Project = true
	_, err = keyed.expanded(v)
	require.ErrorContains(t, err, "no MCP server of .mcp.json gets it")
	_, err = Spec{URL: "${A}"}.expanded(v)
	require.ErrorContains(t, err, `"1" is not a web address`)
}
