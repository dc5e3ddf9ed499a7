package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/internal/models"
)

// modelsPrinted runs pawl models in this process, with these variables alone.
func modelsPrinted(t *testing.T, environ []string, args ...string) (out, errs string, code int) {
	t.Helper()
	t.Setenv("PAWL_HOME", t.TempDir())
	var printed, said strings.Builder
	code = Execute(t.Context(), append([]string{"models"}, args...), base.World{Out: &printed, Err: &said, Environ: environ, Folder: t.TempDir()})
	return printed.String(), said.String(), code
}

func TestWithoutAnyKeyTheModelsThatPawlKnowsAreListed(t *testing.T) {
	out, errs, code := modelsPrinted(t, nil)
	require.Zero(t, code)
	require.Equal(t, "pawl: no server is asked; these are the models that Pawl knows: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST for those that it can use, or run pawl login NAME\n", errs)
	require.Contains(t, out, "demo\t\tin use\t\tfree\n")
	require.Contains(t, out, "anthropic/claude-sonnet-5-5\t1M\tdefault\timages, thinks\t$2 in, $0.10 cached, $10 out\n")
	require.Contains(t, out, "gemini/gemini-3.5-flash-lite\t1.05M\t\timages\tprice not known\n")
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), len(agent.ListedModels())+1)

	out, errs, code = modelsPrinted(t, nil, "no such model")
	require.Zero(t, code)
	require.Empty(t, out)
	require.Contains(t, errs, `no model has "no such model" in its name`)
}

// listing is the address of a server that answers every request with a JSON text.
func listing(t *testing.T, status int, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestModelsFailsOnlyWhereNobodyCanBeAsked(t *testing.T) {
	bad := listing(t, 500, "")
	good := listing(t, 200, `{"models":[{"name":"a\u001b[2Jb"}]}`)
	out, errs, code := modelsPrinted(t, []string{"OLLAMA_HOST=" + bad})
	require.Equal(t, 1, code)
	require.Equal(t, "demo\t\t\t\tfree\n", out)
	require.Contains(t, errs, "pawl: ollama cannot be asked: ")
	require.Contains(t, errs, "not asked, because they have no key: anthropic, openai, openai-chat, gemini; pawl login lists what each needs")
	require.Equal(t, 2, strings.Count(errs, "\n"))

	out, errs, code = modelsPrinted(t, []string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=" + bad, "OLLAMA_HOST=" + good})
	require.Zero(t, code)
	require.NotContains(t, out, "\x1b", "a name is a server's text")
	require.Contains(t, errs, "pawl: anthropic cannot be asked: ")

	out, _, code = modelsPrinted(t, []string{"OLLAMA_HOST=" + bad}, "--json")
	require.Equal(t, 1, code)
	require.True(t, json.Valid([]byte(out)))
}

func TestATableLeavesOutWhatTheTerminalHasNoRoomFor(t *testing.T) {
	rows := [][]string{{"MODEL", "CONTEXT", "TAKES"}, {"a", "1M", "images"}, {"漢字", "", ""}}
	for width, want := range map[int]string{
		0:  "a\t1M\timages\n漢字\n",
		80: "MODEL  CONTEXT  TAKES\na      1M       images\n漢字\n",
		22: "MODEL  CONTEXT  TAKES\na      1M       images\n漢字\n",
		21: "MODEL  CONTEXT\na      1M\n漢字\n",
		3:  "MODEL\na\n漢字\n",
	} {
		var b strings.Builder
		require.NoError(t, writeTable(&b, rows, width))
		require.Equal(t, want, b.String(), width)
	}
}

func TestFiguresAreShort(t *testing.T) {
	for tokens, want := range map[int]string{0: "", 999: "999", 1000: "1k", 8192: "8k", 200_000: "200k", 1_000_000: "1M", 1_047_576: "1.05M", 1_050_000: "1.05M", 2_000_000: "2M"} {
		require.Equal(t, want, models.TokenCount(tokens))
	}
	for price, want := range map[float64]string{2: "$2", 2.5: "$2.50", 0.125: "$0.125", 0.01: "$0.01", 18.75: "$18.75"} {
		require.Equal(t, want, models.Dollars(price))
	}
}
