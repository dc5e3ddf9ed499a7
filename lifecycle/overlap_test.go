package lifecycle

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// writes is a call that has changed a file, on the record.
func writes(port *Port, call CallID, file string) error {
	if err := port.Record(nil, ToolStarted{Call: call, Tool: "write"}); err != nil {
		return err
	}
	entry := Entry{Session: port.Run().Session, Run: port.Run().ID, Kind: EntryToolResult, Call: call, Body: json.RawMessage(`{}`)}
	return port.Answered(entry, ToolEnded{Call: call, Tool: "write", Status: ToolOK, Wrote: file}, nil, nil)
}

// toldAtStep are the lines of Pawl that a run takes in at its next step.
func toldAtStep(t *testing.T, port *Port) []string {
	entries, err := port.Step()
	require.NoError(t, err)
	var lines []string
	for _, entry := range entries {
		var said Said
		if json.Unmarshal(entry.Body, &said) == nil && said.From == FromPawl {
			lines = append(lines, said.Text)
		}
	}
	return lines
}

func overlapsOf(run Run) []string {
	var messages []string
	for _, w := range run.Warnings {
		if w.Kind == WarnWriteOverlap {
			messages = append(messages, w.Message)
		}
	}
	return messages
}

func TestTwoRunsThatWriteTheSameFileAreBothToldOnce(t *testing.T) {
	st := newStage(t)
	defer st.close()
	one, two, over, ended := make(chan *Port), make(chan *Port), make(chan struct{}), make(chan struct{})
	at := func(ports chan *Port) func(context.Context, *Port) Outcome {
		return func(_ context.Context, port *Port) Outcome {
			_, err := port.Step()
			require.NoError(t, err)
			ports <- port
			<-over
			return Outcome{Text: "ok"}
		}
	}
	st.on("one", at(one))
	st.on("two", at(two))
	st.on("go", func(_ context.Context, port *Port) Outcome {
		defer close(ended)
		_, err := port.Step()
		require.NoError(t, err)
		require.NoError(t, writes(port, "c1", "/src/old.go"), "before the others began")
		for _, name := range []string{"one", "two"} {
			_, err := port.Scope().Start(Spec{Call: CallID("c-" + name), Type: "general", Description: name, Prompt: name, Background: true}, "")
			require.NoError(t, err)
		}
		first, second := <-one, <-two
		require.NoError(t, writes(first, "c1", "/src/a/cart.go"))
		require.NoError(t, writes(first, "c2", "/src/old.go"), "which the parent wrote before it began")
		require.NoError(t, writes(second, "c1", "/elsewhere/a/cart.go"))
		require.Empty(t, toldAtStep(t, first))
		require.NoError(t, writes(second, "c2", "/src/a/cart.go"))
		require.NoError(t, writes(second, "c3", "/src/a/cart.go"))
		require.NoError(t, writes(first, "c3", "/src/a/cart.go"))
		require.NoError(t, writes(port, "c4", "/elsewhere/a/cart.go"))
		for teller, want := range map[*Port][]string{
			first:  {`a/cart.go was also changed by the subagent "two"`},
			second: {`a/cart.go was also changed by the subagent "one"`, `/elsewhere/a/cart.go was also changed by the main agent`},
			port:   {`/elsewhere/a/cart.go was also changed by the subagent "two"`},
		} {
			lines := toldAtStep(t, teller)
			require.Len(t, lines, len(want))
			for i := range want {
				require.Contains(t, lines[i], want[i])
			}
			require.Empty(t, toldAtStep(t, teller), "a second time")
		}
		close(over)
		return Outcome{Text: "ok"}
	})
	st.say("go")
	<-ended
	require.Equal(t, []string{`a/cart.go is also changed by the subagent "two"`}, overlapsOf(st.child("one")))
	require.Equal(t, []string{`a/cart.go is also changed by the subagent "one"`, "/elsewhere/a/cart.go is also changed by the main agent"}, overlapsOf(st.child("two")))
}
