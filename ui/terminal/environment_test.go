package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATerminalThatWouldShowThemGetsNoLinks(t *testing.T) {
	for term, want := range map[string]bool{"xterm-256color": true, "tmux-256color": true, "linux": false, "dumb": false, "": false} {
		require.Equal(t, want, ReadFeatures([]string{"TERM=" + term}).Links, term)
	}
}
