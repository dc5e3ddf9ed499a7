//go:build unix

package process

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

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
