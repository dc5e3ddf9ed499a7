//go:build unix

package counterparts

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// exchange is a prompt to a mock, and what Pawl is to make of its answer.
type exchange struct {
	prompt string
	output string // whole
	code   int
	says   string // on standard error
}

// TestMocksOfModelsAreUnderstoodInEachProtocol: @copilotkit/aimock tells every client the same in
// the shapes of each protocol, as node/aimock.json has it, in pieces of seven characters.
func TestMocksOfModelsAreUnderstoodInEachProtocol(t *testing.T) {
	folder := node(t)
	exchanges := []exchange{
		{prompt: "say a word", output: "Zwölf Boxkämpfer 日本語 jagen Viktor quer über den großen Sylter Deich.\n"},
		{prompt: "think first", output: "I have thought.\n"},
		{prompt: "look around", output: "There is calc.go, which adds.\n"},
		{prompt: "delegate it", output: "Two, says the subagent.\n"},
		{prompt: "be refused", code: 1, says: "that is not to be had"},
		{prompt: "wait a little", output: "Now there is room.\n"},
		{prompt: "be cut off once", output: "This is the whole.\n"},
		{prompt: "be cut off in a call", output: "Then not.\n"},
		{prompt: "be garbled once", output: "This can be read.\n"},
		{prompt: "be hung up on once", output: "I am back.\n"},
		{prompt: "run out of room", code: 1},
	}
	count := 0
	for _, p := range modeltest.Protocols() {
		t.Run(p.Name, func(t *testing.T) {
			at := serve(t, nil, "node", filepath.Join(folder, "node_modules/@copilotkit/aimock/dist/cli.js"),
				"--port", "0", "--fixtures", filepath.Join(folder, "aimock.json"), "--strict", "--validate-on-load", "--chunk-size", "7")
			s := harness.NewStage(t, p, nil).With(modeltest.EnvironTo(at)...)
			for _, e := range exchanges {
				play(t, s, e)
				count++
			}
			made, err := os.ReadFile(filepath.Join(s.Dir, "made.txt"))
			if p.Name == "gemini" { // whose calls come whole, before the cut
				require.NoError(t, err)
				require.Contains(t, string(made), "which nobody may write")
			} else {
				require.ErrorIs(t, err, os.ErrNotExist)
			}
		})
	}
	soaktest.Counterpart(t, "@copilotkit/aimock", versionOf(t, "@copilotkit/aimock"), count)
}

// TestAnotherMockOfChatCompletionsIsUnderstood: @dwmkerr/mock-llm streams in pieces of its own, ends them in its
// own way, and says errors within a stream that began well.
func TestAnotherMockOfChatCompletionsIsUnderstood(t *testing.T) {
	folder := node(t)
	s := harness.NewStage(t, modeltest.Chat(), nil)
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())
	at := serve(t, []string{"PORT=" + port, "HOST=127.0.0.1"}, "node", filepath.Join(folder, "node_modules/@dwmkerr/mock-llm/dist/main.js"), "--config", filepath.Join(folder, "mock-llm.yaml"))
	s.With(modeltest.EnvironTo(at)...)
	exchanges := []exchange{
		{prompt: "say a word", output: "Zwölf Boxkämpfer 日本語 jagen Viktor.\n"},
		{prompt: "be refused", code: 1, says: "that is not to be had"},
		{prompt: "say nothing", code: 1},
	}
	for _, e := range exchanges {
		play(t, s, e)
	}
	soaktest.Counterpart(t, "@dwmkerr/mock-llm", versionOf(t, "@dwmkerr/mock-llm"), len(exchanges))
}

func play(t *testing.T, s *harness.Stage, e exchange) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--permission-mode", "bypass", "-p", e.prompt)...)
	require.Equal(t, e.code, code, "%s: %s%s", e.prompt, out, errs)
	if e.code == 0 {
		require.Equal(t, e.output, out, e.prompt)
	}
	require.Contains(t, errs, e.says, e.prompt)
}
