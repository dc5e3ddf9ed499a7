package store

import (
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

func TestHolderNamesTheProcessAndForgetsADeadOne(t *testing.T) {
	path := file(t)
	s := open(t, path)
	_, held, err := s.Holder("root")
	require.NoError(t, err)
	require.False(t, held, "nobody has opened it yet")

	release, err := s.Lock("root")
	require.NoError(t, err)
	pid, held, err := s.Holder("root")
	require.NoError(t, err)
	require.True(t, held)
	require.Equal(t, os.Getpid(), pid)
	release()

	other := start(t, "lock", path)
	pid, held, err = s.Holder("root")
	require.NoError(t, err)
	require.True(t, held)
	require.Equal(t, other.Process.Pid, pid)
	require.NoError(t, other.Process.Signal(syscall.SIGKILL))
	_ = other.Wait() // it was killed
	_, held, err = s.Holder("root")
	require.NoError(t, err)
	require.False(t, held, "the file is there and nobody's")
}

// The whole file is read after a crash, and not beside a session at work: that would take a tenth of a
// second at every start.
func TestADatabaseThatIsInUseIsNotCheckedAtOpening(t *testing.T) {
	path := file(t)
	s := open(t, path)
	_, err := s.write.ExecContext(t.Context(), `PRAGMA foreign_keys = off`)
	require.NoError(t, err)
	_, err = s.write.ExecContext(t.Context(), `INSERT INTO session_facts (session, name, value) VALUES ('nobody', 'x', 'y')`)
	require.NoError(t, err)
	require.Positive(t, s.walSize())
	release, err := s.Lock("root")
	require.NoError(t, err)
	beside, err := Open(t.Context(), path, Options{})
	require.NoError(t, err)
	require.NoError(t, beside.Close())
	release()
	_, err = Open(t.Context(), path, Options{})
	require.ErrorIs(t, err, ErrDamaged)
}

// Who only looks keeps nobody from taking the lock.
func TestALookAtALockIsNoHoldOnIt(t *testing.T) {
	s := open(t, file(t))
	release, err := s.Lock("root") // it makes the folder
	require.NoError(t, err)
	release()
	stop := make(chan struct{})
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _, _ = s.Holder("root") // what it finds changes all the time
				}
			}
		})
	}
	for range soaktest.Count(t, 500, 20_000) {
		f, err := lockFile(s.lockPath("root")) // its file stays, as a dead process leaves it
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	close(stop)
	looking.Wait()
}
