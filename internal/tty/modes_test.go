package tty

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
)

// A screen that is over may have left the alternate screen, or not: what the shell had on its own stands, and
// what is said then comes below.
func TestTheCursorIsBackWhereItWasWhetherTheScreenHasLeftOrNot(t *testing.T) {
	for name, left := range map[string]string{"it has": "\x1b[?1049l", "it has not": ""} {
		t.Run(name, func(t *testing.T) {
			terminal := vt.NewEmulator(40, 10)
			defer terminal.Close()
			for _, text := range []string{"$ pawl\r\n", "\x1b[?1049h\x1b[5;9Ha screen", left, resetModes, "To go on\r\n"} {
				_, err := terminal.WriteString(text)
				require.NoError(t, err)
			}
			require.False(t, terminal.IsAltScreen())
			var lines []string
			for line := range strings.Lines(terminal.String()) {
				if line = strings.TrimRight(line, " \r\n"); line != "" {
					lines = append(lines, line)
				}
			}
			require.Equal(t, []string{"$ pawl", "To go on"}, lines)
		})
	}
}
