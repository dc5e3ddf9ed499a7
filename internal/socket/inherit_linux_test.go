package socket

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const canReachLongPaths = true

func TestNoChildInheritsAConnectionOrAReceivedFile(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, nil)
	client := dialed(t, folder)
	host := accepted(t, l)
	file, err := os.Create(t.TempDir() + "/handed over")
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, client.WriteLine([]byte("take it"), file))
	_, files, err := host.ReadLine()
	require.NoError(t, err)
	require.Len(t, files, 1)
	defer files[0].Close()
	_, inherited, err := Pair()
	require.NoError(t, err)
	defer inherited.Close()

	out, err := child(t, "list").Output()
	require.NoError(t, err)
	require.NotContains(t, string(out), "socket:")
	require.NotContains(t, string(out), "handed over")
	require.NotContains(t, string(out), "lock")
	require.NotEmpty(t, strings.TrimSpace(string(out)))
}

func TestAnEndThatOnlySaysNoMoreIsNotGone(t *testing.T) {
	for name, closes := range map[string]func(a, b *Conn) error{
		"the other end": func(a, _ *Conn) error { return a.Close() },
		"this end":      func(_, b *Conn) error { return b.Close() },
	} {
		a, b := pair(t)
		require.NoError(t, a.CloseWrite())
		_, _, err := b.ReadLine()
		require.ErrorIs(t, err, io.EOF)
		gone := make(chan struct{})
		go func() {
			b.AwaitGone()
			close(gone)
		}()
		require.NoError(t, b.WriteLine([]byte("still read")))
		require.Equal(t, "still read", read(t, a))
		select {
		case <-gone:
			t.Fatal("it still reads")
		default:
		}
		require.NoError(t, closes(a, b), name)
		<-gone
	}
}
