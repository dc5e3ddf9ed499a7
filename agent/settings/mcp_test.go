package settings

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServersAreReadFromTheFile(t *testing.T) {
	s, err := Load(file(t, `
[mcp.git-hub]
command = ["npx", "-y", "server"]
env = {TOKEN = "${TOKEN}"}
timeout = "2m"

[mcp.web]
url = "https://example.com/mcp"
headers = {Authorization = "Bearer x"}
enabled = false
`), nil)
	require.NoError(t, err)
	off := false
	require.Equal(t, map[string]Server{
		"git-hub": {Command: []string{"npx", "-y", "server"}, Env: map[string]string{"TOKEN": "${TOKEN}"}, Timeout: Duration(2 * time.Minute)},
		"web":     {URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer x"}, Enabled: &off},
	}, s.MCP)
	require.True(t, s.MCP["git-hub"].On())
	require.False(t, s.MCP["web"].On())
}

func TestAServerThatDoesNotFitIsNamed(t *testing.T) {
	for name, row := range map[string]struct {
		text  string
		wants []string
	}{
		"an unknown key":     {"[mcp.one]\ncomand = [\"x\"]", []string{"config.toml:2", `"mcp.one.comand"`, `"mcp.one.command"`}},
		"a wrong type":       {"[mcp.one]\ncommand = \"x\"", []string{"config.toml:2"}},
		"no server":          {"mcp = 5", []string{"config.toml:1"}},
		"nothing to start":   {"[mcp.one]\nenabled = true", []string{"mcp.one", "neither a command nor a url"}},
		"two things at once": {"[mcp.one]\ncommand = [\"x\"]\nurl = \"https://x\"", []string{"mcp.one", "remove one of them"}},
		"a blank command":    {"[mcp.one]\ncommand = [\" \"]", []string{"mcp.one", "blank"}},
		"no address":         {"[mcp.one]\nurl = \"example.com\"", []string{"mcp.one", `"example.com"`, "https://"}},
		"headers of none":    {"[mcp.one]\ncommand = [\"x\"]\nheaders = {A = \"b\"}", []string{"mcp.one", "with a command, use env"}},
		"a variable of none": {"[mcp.one]\nurl = \"https://x\"\nenv = {A = \"b\"}", []string{"mcp.one", "with a url, use headers"}},
		"a span of the past": {"[mcp.one]\ncommand = [\"x\"]\ntimeout = \"-1s\"", []string{"mcp.one", "-1s"}},
		"an odd name":        {"[mcp.\"a b\"]\ncommand = [\"x\"]", []string{`"a b"`, "letters, digits"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(file(t, row.text), nil)
			var wrong *Error
			require.ErrorAs(t, err, &wrong)
			for _, want := range row.wants {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}
