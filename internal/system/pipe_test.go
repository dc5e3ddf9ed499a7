package system

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatAPipeHoldsIsReadAlsoBehindItsDeadline(t *testing.T) {
	for name, held := range map[string]string{"a line": "late\n", "nothing": "", "as much as it holds": strings.Repeat("x", pipeSize)} {
		t.Run(name, func(t *testing.T) {
			from, to, err := os.Pipe()
			require.NoError(t, err)
			defer from.Close()
			defer to.Close() // somebody holds it
			_, err = to.WriteString(held)
			require.NoError(t, err)
			require.NoError(t, from.SetReadDeadline(time.Now().Add(-time.Second)))
			read, err := io.ReadAll(ReadPipe(from))
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.Equal(t, held, string(read))
		})
	}
}
