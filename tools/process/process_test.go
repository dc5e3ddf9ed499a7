//go:build unix

package process

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

func TestWhatDoesNotEndIsWaitedForNoLongerThanAStopMayTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		time.AfterFunc(time.Minute, stop)
		began := time.Now()
		done, err := (&process{output: newCapture()}).attend(ctx, make(chan error), nil)
		require.ErrorContains(t, err, "some of it was still running 1.9s after it was killed")
		require.ErrorContains(t, err, "goes on trying to end it")
		require.Equal(t, StopCanceled, done.Stopped)
		require.Equal(t, time.Minute+stopLimit, time.Since(began))
	})
}

// A helper takes the first bytes for its confinement, whatever they are.
func TestAHelperIsAskedNothingBeforeItHasItsConfinement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		p := &process{cmd: &exec.Cmd{Process: self}, told: make(chan struct{})}
		theirs, err := p.pipes.open()
		require.NoError(t, err)
		defer closeFiles(theirs[:])
		ended := make(chan error)
		go func() { ended <- p.askToStop() }() // the call ends while its helper is being started
		synctest.Wait()
		confinement := &launch.Confinement{NoNetwork: true}
		p.pipes.tell(confinement)
		close(p.told)
		require.NoError(t, <-ended)
		p.pipes.close()
		said, err := io.ReadAll(theirs[1])
		require.NoError(t, err)
		require.Equal(t, append(confinement.Encode(), launch.AskStop), said)
	})
}
