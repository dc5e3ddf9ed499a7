package socket

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func noTools(pid int) error {
	tool, err := FromTool(pid)
	if err == nil && tool {
		err = errors.New("a tool")
	}
	return err
}

func TestWhatASessionHasStartedIsTheOneThatIsKeptOut(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, noTools)
	for _, row := range []struct {
		below []string
		want  string
	}{
		{[]string{"dial"}, "welcome"},
		{[]string{"pass", "dial"}, "welcome"},
		{[]string{"guard", "dial"}, "welcome"}, // the host itself
		{[]string{"guard", "pass", "dial"}, "a tool"},
		{[]string{"guard", "pass", "guard", "dial"}, "a tool"}, // another session's host below the tool
		{[]string{"guard", "pass", "rename", "pass", "dial"}, "a tool"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if conn, err := l.Accept(ctx); err == nil {
				_ = conn.WriteLine([]byte("welcome"))
				_ = conn.Close()
			}
		}()
		out, err := child(t, row.below[0], append(row.below[1:], filepath.Dir(folder.Path()))...).Output()
		cancel()
		<-done
		require.NoError(t, err, row.below)
		require.Contains(t, string(out), row.want, row.below)
	}
}

func TestAListenerThatAToolHasStartedIsNoHost(t *testing.T) {
	for _, row := range []struct {
		below []string
		want  string
	}{
		{[]string{"guard", "listen"}, ""},
		{[]string{"guard", "pass", "listen"}, "cannot be trusted: it is a command that a session has run"},
	} {
		folder := In(t.TempDir())
		command := child(t, row.below[0], append(row.below[1:], filepath.Dir(folder.Path()))...)
		in, err := command.StdinPipe()
		require.NoError(t, err)
		line, err := started(t, command).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "listening\n", line)
		conn, err := folder.Dial(t.Context(), "s1")
		if row.want == "" {
			require.NoError(t, err)
			require.NoError(t, conn.Close())
		} else {
			require.ErrorContains(t, err, row.want)
		}
		require.NoError(t, in.Close())
		require.NoError(t, command.Wait())
	}
}
