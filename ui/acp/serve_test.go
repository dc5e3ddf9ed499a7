package acp

import (
	"bufio"
	"bytes"
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
	require.EqualError(t, err, "read what the editor says: a message is longer than 10 MB, which is the most: send smaller or fewer images")
	_, err = served(t, strings.NewReader(strings.Repeat(strings.Repeat(" ", longestLine/8)+"\n", 12)), Options{})
	require.NoError(t, err, "many long ones are none that is too long")
}

func TestALineThatIsNoMessageIsAnsweredAndEndsNothing(t *testing.T) {
	const (
		noJSON    = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is no JSON: each line is one message of JSON-RPC 2.0"}}`
		noMessage = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line is no message of JSON-RPC 2.0: it is an object with a method, or with the result of one"}}`
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

func TestWhatIsSentIsMaskedAndWhole(t *testing.T) {
	var out bytes.Buffer
	s := &spout{to: &out, hide: mask.New([]string{"hunter2-hunter2"})}
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
		l := lodged(t, 0)
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
