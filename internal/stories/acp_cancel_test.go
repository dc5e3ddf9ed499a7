package stories

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// rawEditor is an editor that writes its lines itself, several at once.
type rawEditor struct {
	t     *testing.T
	write func(string)
	lines *bufio.Scanner
}

// Answer reads on to the answer with this id.
func (e *rawEditor) answer(id int) (result struct{ SessionID, StopReason string }) {
	e.t.Helper()
	for e.lines.Scan() {
		var message struct {
			ID     *int
			Result json.RawMessage
			Error  any
		}
		require.NoError(e.t, json.Unmarshal(e.lines.Bytes(), &message))
		if message.ID != nil && *message.ID == id {
			require.Nil(e.t, message.Error)
			require.NoError(e.t, json.Unmarshal(message.Result, &result))
			return result
		}
	}
	require.FailNow(e.t, "no answer")
	return result
}

// The editor writes both in one go, as one does whose user presses Enter and Esc.
func TestACancelThatIsWrittenWithItsPromptIsNeverLost(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I begin").Until(make(chan struct{})) })
	path, err := harness.Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, append([]string{"acp"}, s.Flags()...)...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	e := &rawEditor{t: t, lines: bufio.NewScanner(out), write: func(text string) {
		_, err := in.Write([]byte(text))
		require.NoError(t, err)
	}}
	e.lines.Buffer(nil, 1<<20)
	e.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
	e.answer(1)
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`+"\n", s.Dir))
	session := e.answer(2).SessionID
	for id := 3; id < 23; id++ {
		e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`+"\n"+
			`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`+"\n", id, session, session))
		require.Equal(t, "cancelled", e.answer(id).StopReason)
	}
	require.NoError(t, in.Close())
	harness.WaitEnd(t, cmd)
	require.Zero(t, cmd.ProcessState.ExitCode())
}
