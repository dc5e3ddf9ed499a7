package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// libraryScript is an MCP server with a prompt and a resource, and no tools.
const libraryScript = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
  *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"prompts":{},"resources":{}},"serverInfo":{"name":"library","version":"1"}}' ;;
  *'"prompts/list"'*) result='{"prompts":[{"name":"review","description":"reviews a change","arguments":[{"name":"number","required":true},{"name":"focus"}]}]}' ;;
  *'"prompts/get"'*) number=$(printf '%s' "$line" | sed -n 's/.*"number":"\([^"]*\)".*/\1/p')
    result='{"messages":[{"role":"user","content":{"type":"text","text":"Review the change '$number' with care."}}]}' ;;
  *'"resources/list"'*) result='{"resources":[{"uri":"book:///chapter-one","name":"Chapter One"}]}' ;;
  *'"resources/read"'*) result='{"contents":[{"uri":"book:///chapter-one","text":"It was a dark and stormy night."}]}' ;;
  *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
`

func withLibrary(t *testing.T) *harness.Stage {
	t.Helper()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Read.") })
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "library.sh"), []byte(libraryScript), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(s.Home, "config"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), []byte("[mcp.lib]\ncommand = [\"sh\", \"library.sh\"]\n"), 0o600))
	return s
}

// toldOf is all that the model was told in the request with these words.
func toldOf(t *testing.T, s *harness.Stage, words string) string {
	t.Helper()
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Asked(words) })
	var all strings.Builder
	for _, m := range h.Messages {
		all.WriteString(m.Text + "\n")
	}
	return all.String()
}

func TestPromptsAndResourcesOfAServerWithoutAScreen(t *testing.T) {
	t.Parallel()
	s := withLibrary(t)
	out, errs, code := harness.Run(t, s.Dir, s.Env, "mcp", "list")
	require.Zero(t, code, errs)
	require.Contains(t, out, "0 tools, 1 prompt, 1 resource")
	out, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("-p", "/mcp__lib__review 42")...)
	require.Zero(t, code, errs)
	require.Equal(t, "Read.\n", out)
	require.Contains(t, toldOf(t, s, "/mcp__lib__review 42"), "Review the change 42 with care.")
	_, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("-p", "What is @lib:book:///chapter-one about?")...)
	require.Zero(t, code, errs)
	require.Contains(t, toldOf(t, s, "about?"), "It was a dark and stormy night.")
	_, errs, code = harness.RunWith(t, "Look at @lib:book:///chapter-one.", s.Dir, s.Env, s.Flags("-p", "from elsewhere:")...)
	require.Zero(t, code, errs)
	text := toldOf(t, s, "from elsewhere")
	require.NotContains(t, text, "stormy", "nothing is asked of a server because of a text that was piped in")
	require.Contains(t, text, "type it")
	_, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("-p", "/mcp__lib__review")...)
	require.Zero(t, code, errs)
	require.Contains(t, toldOf(t, s, "could not be expanded"), "review needs number: /mcp__lib__review NUMBER [FOCUS]")
}

func TestPromptsAndResourcesOfAServerAreCompletedOnTheScreen(t *testing.T) {
	t.Parallel()
	s := withLibrary(t)
	x := s.Open(t)
	x.Prompt("hello")
	x.See("Read.")
	x.Type("/mcp__")
	x.See("/mcp__lib__review", "reviews a change")
	x.Type(harness.KeyEnter)
	x.Type("7", harness.KeyEnter)
	x.See("/mcp__lib__review 7")
	require.Contains(t, toldOf(t, s, "/mcp__lib__review 7"), "Review the change 7 with care.")
	x.Type("sum up @lib:b")
	x.See("lib:book:///chapter-one")
	x.Type(harness.KeyEnter)
	x.See("@lib:book:///chapter-one")
	x.Type(harness.KeyEnter)
	x.See("lib:book:///chapter-one", "1 line")
	require.Contains(t, toldOf(t, s, "sum up"), "It was a dark and stormy night.")
	require.Equal(t, 0, x.Quit())
}
