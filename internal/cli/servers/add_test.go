package servers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
)

// written is the user's settings file.
func (h *home) written() string {
	h.t.Helper()
	text, err := os.ReadFile(h.config())
	require.NoError(h.t, err)
	return string(text)
}

func (h *home) write(text string) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(h.config()), 0o700))
	require.NoError(h.t, os.WriteFile(h.config(), []byte(text), 0o600))
}

// commented is a settings file as people write them.
const commented = `# mine
model = "demo/x"   # for trying

[mcp.github]  # the company's
# its token
command = [
  "npx", # from npm
  "server-github",
]
env = {GITHUB_TOKEN = "${GITHUB_TOKEN}"}

# the documents
[mcp.docs]
url = "https://mcp.example.com/mcp"
[mcp.docs.headers]
Authorization = "Bearer x"

[screen]
theme = "dark"  # at night
`

func TestAServerIsAddedBehindWhatIsThere(t *testing.T) {
	h := newHome(t)
	h.write(commented)
	code, says := h.run("add", "files", "-e", "A=b c", "--env", `Q="x"=\y`, "--", "npx", "-y", "server", "--flag", "it's")
	require.Zero(t, code, says)
	require.Contains(t, says, "Added files to ")
	require.Equal(t, commented+"\n[mcp.files]\ncommand = [\"npx\", \"-y\", \"server\", \"--flag\", \"it's\"]\nenv = {A = \"b c\", Q = \"\\\"x\\\"=\\\\y\"}\n", h.written())
	info, err := os.Stat(h.config())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	code, says = h.run("add", "web", "https://example.com/mcp?a=b", "-H", "Authorization: Bearer ${TOKEN}", "--client-id", "me", "--scopes", "read,write", "--callback-port", "4711")
	require.Zero(t, code, says)
	s, err := settings.Load(h.config(), nil)
	require.NoError(t, err)
	require.Equal(t, settings.Server{
		URL: "https://example.com/mcp?a=b", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"},
		ClientID: "me", Scopes: []string{"read", "write"}, CallbackPort: 4711,
	}, s.MCP["web"])
	require.Equal(t, map[string]string{"A": "b c", "Q": `"x"=\y`}, s.MCP["files"].Env)
	require.Len(t, s.MCP, 4)
}

func TestAServerThatIsAddedAndRemovedLeavesNothing(t *testing.T) {
	for _, text := range []string{commented, "", "model = \"demo/x\"\n"} {
		h := newHome(t)
		h.write(text)
		code, says := h.run("add", "x", "https://example.com/mcp")
		require.Zero(t, code, says)
		code, says = h.run("remove", "x")
		require.Zero(t, code, says)
		require.Equal(t, text, h.written())
	}
}

func TestAServerIsAddedToNoFileAtAll(t *testing.T) {
	h := newHome(t)
	code, says := h.run("add", "docs", "https://example.com/mcp")
	require.Zero(t, code, says)
	require.Equal(t, "[mcp.docs]\nurl = \"https://example.com/mcp\"\n", h.written())
}

func TestAServerIsRemovedAndNothingElse(t *testing.T) {
	for name, row := range map[string]struct{ text, server, left string }{
		"a table":                   {commented, "github", "# mine\nmodel = \"demo/x\"   # for trying\n\n# the documents\n[mcp.docs]\nurl = \"https://mcp.example.com/mcp\"\n[mcp.docs.headers]\nAuthorization = \"Bearer x\"\n\n[screen]\ntheme = \"dark\"  # at night\n"},
		"a table with one below it": {commented, "docs", "# mine\nmodel = \"demo/x\"   # for trying\n\n[mcp.github]  # the company's\n# its token\ncommand = [\n  \"npx\", # from npm\n  \"server-github\",\n]\nenv = {GITHUB_TOKEN = \"${GITHUB_TOKEN}\"}\n\n# the documents\n\n[screen]\ntheme = \"dark\"  # at night\n"},
		"the only one":              {"[mcp.a]\nurl = \"http://a\"\n", "a", ""},
		"a key of a table":          {"[mcp]\na = {url = \"http://a\"}\nb.url = \"http://b\"\n", "a", "[mcp]\nb.url = \"http://b\"\n"},
		"keys with dots":            {"mcp.a.url = \"http://a\" # x\nmcp.a.timeout = \"1m\"\nmodel = \"demo/x\"\n", "a", "model = \"demo/x\"\n"},
		"a name in quotes":          {"[mcp.\"a\"]\nurl = \"\"\"http://a\"\"\"\n\n[mcp.b]\nurl = \"http://b\"", "a", "[mcp.b]\nurl = \"http://b\""},
		"its name in a comment":     {"# [mcp.a]\n[mcp.a]\nurl = \"http://a\"\n# [mcp.a] was here\n", "a", "# [mcp.a]\n# [mcp.a] was here\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write(row.text)
			code, says := h.run("remove", row.server)
			require.Zero(t, code, says)
			require.Equal(t, row.left, h.written())
		})
	}
}

func TestSettingsThatCannotBeChangedSafelyStay(t *testing.T) {
	for _, text := range []string{"mcp = {a = {url = \"http://a\"}}\n", "[mcp]\na = {url = \"http://a\"}\n[[hooks]]\n= broken"} {
		h := newHome(t)
		h.write(text)
		for _, words := range [][]string{{"remove", "a"}, {"add", "b", "https://example.com"}} {
			code, says := h.run(words...)
			require.NotZero(t, code, says)
			require.Equal(t, text, h.written())
		}
	}
}

func TestASettingsFileBehindALinkIsChangedWhereItIs(t *testing.T) {
	h := newHome(t)
	h.write("")
	real := filepath.Join(t.TempDir(), "dotfiles.toml")
	require.NoError(t, os.Rename(h.config(), real))
	require.NoError(t, os.Symlink(real, h.config()))
	code, says := h.run("add", "docs", "https://example.com/mcp")
	require.Zero(t, code, says)
	info, err := os.Lstat(h.config())
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type())
	require.FileExists(t, real)
}

func TestAServerOfTheProjectIsAddedAndRemovedInItsOrder(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.world.Folder, ".mcp.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"zeta": 1, "mcpServers": {"z": {"command": "a<b", "odd": [1,2]}, "b": {"url": "http://b"}}, "alpha": null}`), 0o644)) //nolint:gosec // others read it too
	code, says := h.run("add", "files", "--project", "-e", "A=b&c", "--", "npx", "-y")
	require.Zero(t, code, says)
	require.Contains(t, says, "pawl asks about it")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `{
  "zeta": 1,
  "mcpServers": {
    "z": {
      "command": "a<b",
      "odd": [
        1,
        2
      ]
    },
    "b": {
      "url": "http://b"
    },
    "files": {
      "command": "npx",
      "args": [
        "-y"
      ],
      "env": {
        "A": "b&c"
      }
    }
  },
  "alpha": null
}
`, string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm())
	code, says = h.run("remove", "b")
	require.Equal(t, 2, code)
	require.Contains(t, says, "but this folder's .mcp.json has: add --project")
	for _, name := range []string{"b", "z", "files"} {
		code, says = h.run("remove", name, "--project")
		require.Zero(t, code, says)
	}
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "{\n  \"zeta\": 1,\n  \"mcpServers\": {},\n  \"alpha\": null\n}\n", string(text))
}

func TestWrongWordsAreOneLineEach(t *testing.T) {
	h := newHome(t)
	h.write("[mcp.docs]\nurl = \"https://example.com\"\n")
	for _, row := range []struct {
		words []string
		says  string
	}{
		{[]string{"add"}, "which name? pawl mcp add NAME -- COMMAND, or pawl mcp add NAME URL"},
		{[]string{"add", "--", "npx"}, "which name?"},
		{[]string{"add", "x"}, "neither a program nor an address"},
		{[]string{"add", "x", "--"}, "neither a program nor an address"},
		{[]string{"add", "x", "npx", "server"}, `"npx" is not an address: a program goes behind --, as in pawl mcp add x -- npx server`},
		{[]string{"add", "x", "https://a", "b"}, `unexpected argument "b"`},
		{[]string{"add", "x", "https://a", "--", "npx"}, "a program or an address, not both"},
		{[]string{"add", "a b", "https://a"}, "a server's name has 1 to 64 letters"},
		{[]string{"add", "x", "https://"}, "is not a web address"},
		{[]string{"add", "x", "https://a", "-e", "A=b"}, "env is for servers with a command"},
		{[]string{"add", "x", "-H", "A: b", "--", "npx"}, "headers are for servers with a url"},
		{[]string{"add", "x", "-e", "sk-secret-in-the-wrong-place", "--", "npx"}, "must be NAME=value"},
		{[]string{"add", "x", "https://a", "-H", "Bearer x"}, "must be Name: value"},
		{[]string{"add", "docs", "https://a"}, `has a server "docs" already: pawl mcp remove docs removes it`},
		{[]string{"remove"}, "NAME is missing"},
		{[]string{"remove", "dosc"}, `has no server "dosc"; did you mean "docs"?`},
		{[]string{"remove", "docs", "--project"}, "but your config.toml has: leave --project out"},
		{[]string{"login", "dosc"}, `no MCP server "dosc"; did you mean "docs"? (pawl mcp list lists them)`},
		{[]string{"logout", "docs"}, `there is no login to "docs"`},
	} {
		code, says := h.run(row.words...)
		require.NotZero(t, code, "%v", row.words)
		require.Contains(t, says, row.says, "%v", row.words)
	}
	require.NoError(t, os.WriteFile(filepath.Join(h.world.Folder, ".mcp.json"), []byte(`{"mcpServers": {"theirs": {"url": "https://example.com"}}, x`), 0o600))
	code, says := h.run("add", "x", "--project", "https://a")
	require.NotZero(t, code)
	require.Contains(t, says, ".mcp.json: not valid JSON")
}

func TestTheProjectsFileIsNotFollowedOutOfTheFolder(t *testing.T) {
	h := newHome(t)
	theirs := filepath.Join(t.TempDir(), "theirs.json")
	require.NoError(t, os.WriteFile(theirs, []byte("{}"), 0o600))
	require.NoError(t, os.Symlink(theirs, filepath.Join(h.world.Folder, ".mcp.json")))
	code, says := h.run("add", "--project", "docs", "https://example.com/mcp")
	require.Equal(t, 1, code)
	require.Contains(t, says, ".mcp.json leads outside the folder")
	text, err := os.ReadFile(theirs)
	require.NoError(t, err)
	require.Equal(t, "{}", string(text))
}
