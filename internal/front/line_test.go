//go:build !windows

package front

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/guard"
	"pawl/internal/socket"
)

// Ctrl+C reaches the editor and the front at once, and the front may hear of the editor's end first.
func TestCtrlCIsTheEditorsForAMomentAfterItsEnd(t *testing.T) {
	conn, host, err := socket.Pair()
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	defer host.Close()
	l := &line{front: &front{}, conn: conn, shown: true, edited: make(chan error, 1)}
	l.signal(syscall.SIGINT)
	require.Zero(t, l.asked, "the editor has the terminal")
	ended := time.Now()
	l.editorEnded(nil)
	require.False(t, l.others.Before(ended.Add(guard.SameSignal)))
	l.others = time.Now().Add(time.Minute) // no machine is as slow as that
	l.signal(syscall.SIGINT)
	require.Zero(t, l.asked, "it was sent before the editor ended")
	l.others = time.Now()
	l.signal(syscall.SIGINT)
	require.Equal(t, 1, l.asked)
}

func TestCtrlCBeforeTheScreenOfARunningHostIsUpGoesNoFurther(t *testing.T) {
	conn, host, err := socket.Pair()
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	defer host.Close()
	l := &line{front: &front{}, conn: conn}
	out, over := l.signal(syscall.SIGINT)
	require.True(t, over)
	require.Equal(t, 130, out.code)
	l.guard = &child{}
	_, over = l.signal(syscall.SIGINT)
	require.False(t, over, "its own host is to end with it")
	require.Equal(t, 2, l.asked)
}
