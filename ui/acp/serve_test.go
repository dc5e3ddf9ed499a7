package acp

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// served is what Serve answers to these lines.
func served(t *testing.T, in io.Reader, o Options) (string, error) {
	t.Helper()
	var out bytes.Buffer
	o.In, o.Out = in, &out
	code, err := Serve(t.Context(), o)
	require.Equal(t, err != nil, code != 0)
	return out.String(), err
}

func TestAMessageBeyondAllMeasureEndsWithItsReason(t *testing.T) {
	_, err := served(t, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+strings.Repeat("x", longestLine)+"\"}\n"), Options{})
	require.EqualError(t, err, "read the messages of the editor: one is longer than 10 MB, the limit: send smaller or fewer images")
	_, err = served(t, strings.NewReader(strings.Repeat(strings.Repeat(" ", longestLine/8)+"\n", 12)), Options{})
	require.NoError(t, err, "many long ones are none that is too long")
}

func TestALineThatIsNoMessageIsAnsweredAndEndsNothing(t *testing.T) {
	const (
		noJSON    = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON: each line is one message of JSON-RPC 2.0"}}`
		noMessage = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line is not a JSON-RPC 2.0 message: that is an object with a method, or with the result of one"}}`
	)
	for line, want := range map[string]string{
		"hello":                                 noJSON,
		`{"jsonrpc":"2.0","id":1,"method":"in`:  noJSON,
		"\xff\x00":                              noJSON,
		`[{"jsonrpc":"2.0","id":1}]`:            noMessage,
		"null":                                  noMessage,
		`{"jsonrpc":"2.0","id":1,"method":7}`:   noMessage,
		" \r":                                   "",
		`{"jsonrpc":"2.0","id":7,"result":{}}`:  "",
		`{"jsonrpc":"2.0","id":null,"error":1}`: "", // an answer to what was said here: two would answer each other for ever
	} {
		in, editor := io.Pipe()
		go func() { _, _ = editor.Write([]byte(line + "\n" + `{"jsonrpc":"2.0","id":2,"method":"nosuch"}` + "\n")) }()
		from, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			_, err := Serve(t.Context(), Options{In: in, Out: out})
			ended <- err
		}()
		lines := bufio.NewScanner(from)
		if want != "" {
			require.True(t, lines.Scan())
			require.Equal(t, want, lines.Text(), line)
		}
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), `"id":2,"error":{"code":-32601`, line)
		require.NoError(t, editor.Close())
		require.NoError(t, <-ended)
	}
}

func TestAMethodThatIsNotOfferedIsNoneWhateverItIsCalledWith(t *testing.T) {
	for _, call := range []string{
		`"id":3,"method":"session/fork","params":{"sessionId":"x"}`, `"id":3,"method":"session/fork"`, `"id":3,"method":"session/fork","params":{"cwd":7}`,
		`"id":3,"method":"providers/set","params":{}`, `"id":3,"method":"nes/start"`,
	} {
		out, err := served(t, strings.NewReader(`{"jsonrpc":"2.0",`+call+"}\n"), Options{})
		require.NoError(t, err)
		require.Contains(t, out, `"id":3,"error":{"code":-32601`, call)
		require.Equal(t, 1, strings.Count(out, "\n"), "one answer")
	}
}

func TestAMethodThatIsOfferedSaysWhatIsWrongWithItsCall(t *testing.T) {
	in, lines := io.Pipe() // it stays open until the answer is there
	out, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := Serve(t.Context(), Options{In: in, Out: answers})
		ended <- err
	}()
	_, err := io.WriteString(lines, `{"jsonrpc":"2.0","id":"a","method":"session/new","params":{}}`+"\n")
	require.NoError(t, err)
	answer, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, answer, `"code":-32602`)
	require.NoError(t, lines.Close())
	require.NoError(t, <-ended)
}

func TestWhatIsSentIsMaskedAndWhole(t *testing.T) {
	var out bytes.Buffer
	s := &maskedWriter{to: &out, hide: mask.New([]string{"hunter2-hunter2"})}
	n, err := s.Write([]byte(`{"method":"session/update","params":{"text":"it is hunter2-hunter2\u001b[2J"}}` + "\n"))
	require.NoError(t, err)
	require.Equal(t, out.String(), strings.ReplaceAll(out.String(), "hunter2", ""))
	require.Positive(t, n)
	require.True(t, strings.HasSuffix(out.String(), "}\n"), "a message a line: %q", out.String())
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
}

func TestNothingIsOpenedOnceTheEndHasBegun(t *testing.T) {
	e := &editor{sessions: map[lifecycle.SessionID]*session{}}
	e.closeAll(lifecycle.CauseProcessEnd)
	_, err := e.open("/work", "", nil)
	require.ErrorContains(t, err, lifecycle.ErrClosing.Error())
}

func TestTheEndWaitsForASessionThatTheEditorCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		closing, closed := make(chan struct{}), 0
		l.Close = func(lifecycle.Cause) {
			closed++
			<-closing
		}
		e := &editor{sessions: map[lifecycle.SessionID]*session{"root": l.session}}
		over := false
		go func() { _, _ = e.CloseSession(t.Context(), sdk.CloseSessionRequest{SessionId: "root"}) }()
		synctest.Wait()
		_, err := e.CloseSession(t.Context(), sdk.CloseSessionRequest{SessionId: "root"})
		require.ErrorContains(t, err, "not open here", "one closes it")
		go func() {
			e.closeAll(lifecycle.CauseProcessEnd)
			over = true
		}()
		synctest.Wait()
		require.False(t, over, "its runs are still being stopped")
		_, err = e.CloseSession(t.Context(), sdk.CloseSessionRequest{SessionId: "root"})
		require.ErrorContains(t, err, lifecycle.ErrClosing.Error())
		close(closing)
		synctest.Wait()
		require.True(t, over)
		require.Equal(t, 1, closed)
	})
}

// However the goroutines fall, a cancel that was written with its prompt finds it; and what
// the SDK refuses by itself holds nothing up.
func TestACancelThatComesWithItsPromptStopsIt(t *testing.T) {
	const (
		created = `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/work","mcpServers":[]}}` + "\n"
		prompt  = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"root","prompt":[{"type":"text","text":"go"}]}}` + "\n"
		cancel  = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"root"}}` + "\n"
		invalid = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":7}}` + "\n"
		unknown = `{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"other","prompt":[]}}` + "\n"
		noID    = `{"jsonrpc":"2.0","method":"session/prompt","params":{"sessionId":"root","prompt":[]}}` + "\n"
	)
	for range 20 {
		s := &stoppable{fixture{rings: make(chan struct{}, 9)}}
		in, editor := io.Pipe()
		from, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			_, err := Serve(t.Context(), Options{In: in, Out: out, Open: func(context.Context, Opening) (*Session, error) {
				return &Session{
					Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Folder: "/work", Close: func(lifecycle.Cause) {},
					Modes: Choice{Now: func() string { return "" }}, Models: Choice{Now: func() string { return "" }},
				}, nil
			}})
			ended <- err
		}()
		lines := bufio.NewScanner(from)
		say := func(text string, want ...string) {
			_, err := io.WriteString(editor, text)
			require.NoError(t, err)
			for _, one := range want {
				require.True(t, lines.Scan())
				if strings.Contains(lines.Text(), "available_commands_update") { // whenever it comes
					require.True(t, lines.Scan())
				}
				require.Contains(t, lines.Text(), one)
			}
		}
		say(created, `"id":1,"result"`)
		say(noID, `-32600`)
		say(invalid, `"id":3,"error"`)
		say(unknown, `"id":4,"error"`)
		say(prompt+cancel, `"stopReason":"cancelled"`)
		require.NoError(t, editor.Close())
		require.NoError(t, <-ended)
	}
}

// stoppable is a parent that works until it is stopped; a stop before its prompt is none.
type stoppable struct{ fixture }

func (s *stoppable) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	_, send := command.(lifecycle.Send)
	s.mu.Lock()
	begun := len(s.log) > 0
	s.mu.Unlock()
	switch {
	case send:
		s.happens("root", "p1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
	case !begun:
		return lifecycle.Reply{}, lifecycle.ErrUnknown
	default:
		s.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseCommand})
	}
	return lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1", Session: "root"}}}, nil
}
