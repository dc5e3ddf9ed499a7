package wiretest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// Heard are the pieces of an answer, as they were handed on.
type Heard []agent.Delta

// Text is the text of all pieces, in their order.
func (h Heard) Text() string { return h.join(func(d agent.Delta) string { return d.Text }) }

// Thinking is the thinking of all pieces, in their order.
func (h Heard) Thinking() string { return h.join(func(d agent.Delta) string { return d.Thinking }) }

func (h Heard) join(of func(agent.Delta) string) (text string) {
	for _, d := range h {
		text += of(d)
	}
	return text
}

// Calls are the tools whose calls began, in their order.
func (h Heard) Calls() (tools []string) {
	for _, d := range h {
		if d.Call != "" {
			tools = append(tools, d.Call)
		}
	}
	return tools
}

// Ask asks a provider once and keeps what it handed on meanwhile.
func Ask(t testing.TB, p agent.Provider, req agent.Request) (answer agent.Response, heard Heard, err error) {
	t.Helper()
	answer, err = p.Stream(t.Context(), req, func(d agent.Delta) { heard = append(heard, d) })
	return answer, heard, err
}

// Play is a reply with a recording from testdata.
func Play(t testing.TB, file string) Reply {
	t.Helper()
	return Reply{Body: Recording(t, file)}
}

// JSON parses what a test expects.
func JSON(t testing.TB, text string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}
