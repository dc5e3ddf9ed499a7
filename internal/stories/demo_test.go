package stories

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// keyless makes a stage as CI has it that lost its secrets: no model server, no key.
func keyless(t *testing.T) *harness.Stage {
	t.Helper()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	for _, variable := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST"} {
		s.With(variable + "=")
	}
	return s.With("CI=true", "PAWL_DEMO_PACE=0")
}

// The first screen says what a key gives and how to keep one, whole, however small the terminal is;
// where there is a key it says how to get at the model.
func TestTheDemosFirstScreenSaysHowToHaveAModel(t *testing.T) {
	t.Parallel()
	s := keyless(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}} {
		x := harness.StartSized(t, size[0], size[1], s.Dir, s.Env)
		x.See("DEMO: a script answers", "With a key", "pawl login", "show all keys", "Ask Pawl anything")
		require.Equal(t, 0, x.Quit())
	}
	x := harness.StartSized(t, 80, 24, s.Dir, s.With("ANTHROPIC_API_KEY="+modeltest.Key).Env, "demo")
	x.See("DEMO: a script answers", "type /model, or quit and start pawl")
	require.NotContains(t, x.Screen(), "login")
	require.Equal(t, 0, x.Quit())
}

func TestADemoThatIsNamedPlaysWithoutAScreenAndSaysSo(t *testing.T) {
	t.Parallel()
	s := keyless(t)
	for _, args := range [][]string{{"demo", "-p", "hi"}, {"--model", "demo", "-p", "hi"}} {
		out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
		require.Equal(t, 0, code, errs)
		require.NotEmpty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "DEMO")
	}
	lines, code := keylessStream(t, s, "demo", "-p", "hi", "--output-format", "stream-json")
	require.Equal(t, 0, code)
	for _, line := range []streamLine{lines[0], lines[len(lines)-1]} {
		require.Contains(t, line.raw, `"demo":true`)
	}
	out, _, code := harness.Run(t, s.Dir, s.With("PAWL_MODEL=demo").Env, "-p", "hi", "--output-format", "json")
	require.Equal(t, 0, code)
	var r struct{ Demo bool }
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.True(t, r.Demo)
}

// keylessStream is a stream of a stage whose model is none of the flags, each line held to the schema.
func keylessStream(t *testing.T, s *harness.Stage, args ...string) ([]streamLine, int) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
	require.Empty(t, errs)
	schema := streamLineSchema(t)
	var lines []streamLine
	for text := range strings.Lines(out) {
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		require.NoError(t, schema.Validate(value), text)
		lines = append(lines, readStreamLine(t, strings.TrimSuffix(text, "\n")))
	}
	return lines, code
}

// The one used last is anthropic's; its key goes, another one's is there.
func TestNoOtherModelAnswersForTheOneUsedLast(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Hello.") })
	_, errs, code := s.Prompted(t, "-p", "hi")
	require.Equal(t, 0, code, errs)
	s.With("ANTHROPIC_API_KEY=", "OPENAI_API_KEY="+modeltest.Key)
	out, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "hi again")
	require.Equal(t, 2, code)
	require.Empty(t, out)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "ANTHROPIC_API_KEY is not set")
	require.Contains(t, errs, s.Model)
	require.Contains(t, errs, "--model")
	text, _, _ := harness.Run(t, s.Dir, s.Env, "doctor", "--offline")
	require.Contains(t, text, s.Model+" needs ANTHROPIC_API_KEY, which is not set")
	require.Len(t, s.Server.All(modeltest.FromParent), 1, "nobody else was asked")
	x := harness.StartSized(t, 80, 24, s.Dir, s.Env)
	x.See("ANTHROPIC_API_KEY is not set")
	require.Equal(t, 0, x.Quit())
}

func TestAnEditorWithoutAKeyIsToldWhatToSet(t *testing.T) {
	t.Parallel()
	s := keyless(t)
	s.Model = "demo"
	e := newEditor(t, s)
	got, err := e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: s.Dir, McpServers: []sdk.McpServer{}})
	require.NoError(t, err, "it was named")
	require.NotEmpty(t, got.SessionId)
	require.Zero(t, e.hangUp())

	e = newEditorBy(t, s)
	_, err = e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: s.Dir, McpServers: []sdk.McpServer{}})
	var refused *sdk.RequestError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, -32000, refused.Code, "authentication required")
	require.Contains(t, refused.Message, "ANTHROPIC_API_KEY")
	require.Zero(t, e.hangUp())
}

func TestAProgramThatStopsAllBeforeItAsksForAnythingIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Hello.") })
	for _, line := range []string{`{"type":"stop","session":"all"}`, `{"type":"stop"}`, `{"type":"continue"}`} {
		out, errs, code := harness.RunWith(t, line+"\n", s.Dir, s.Env, s.Flags("-p", "--input-format", "stream-json", "--output-format", "stream-json")...)
		require.Equal(t, 2, code, line)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "nothing was asked")
		require.Contains(t, out, `"type":"reply"`)
	}
	out, errs, code := harness.RunWith(t, `{"type":"stop","session":"all"}`+"\n"+`{"type":"message","text":"hi"}`+"\n", s.Dir, s.Env,
		s.Flags("-p", "--input-format", "stream-json", "--output-format", "stream-json")...)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, `"status":"completed"`)
}
