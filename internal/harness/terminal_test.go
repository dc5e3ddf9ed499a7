//go:build unix

package harness

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The terminal of the tests shows what a program draws, brings it the keys that are
// pressed and the size that is set, and knows whether it was left in order.
func TestTerminalShowsWhatAProgramDraws(t *testing.T) {
	x := StartCommand(t, 40, 10, exec.Command("sh", "-c", `
		printf '\033[?1049h\033[?25l\033[2J\033[Hone\ntwo 世界'
		read answer
		printf '\033[5;3Hheard %s at %s' "$answer" "$(stty size)"
		read answer
		printf '\033[?25h\033[?1049l'
		exit 7`))
	x.See("one\ntwo 世界")
	x.Resize(50, 12)
	x.Type("yes", KeyEnter)
	x.See("\n  heard yes at 12 50")
	x.SeeNot("three")
	require.Equal(t, "yes", x.SeeMatch(`heard (\w+)`)[1])
	x.Type(KeyEnter)
	require.Equal(t, 7, x.Wait())
}

func TestTerminalScrollsWhatWasWrittenForALargerSize(t *testing.T) {
	e := newEmulator(20, 10)
	e.Resize(20, 4)
	_, err := e.WriteString("\x1b[2;10r\x1b[2;1Hgone\r\nkept\x1b[2;1H\x1b[M\x1b[9S\x1b[r\x1b[2;1Hdrawn anew")
	require.NoError(t, err)
	require.Equal(t, []string{"", "drawn anew", "", ""}, strings.Split(e.String(), "\n"))
}

func TestTerminalKnowsWhenItWasLeftInDisorder(t *testing.T) {
	require.NoError(t, Restored("plain"))
	require.NoError(t, Restored("\x1b[?1049h\x1b[?25l\x1b[?2004h drawn \x1b[?2004l\x1b[?25h\x1b[?1049l"))
	for _, left := range []string{"\x1b[?1049l\x1b[?1049h", "\x1b[?25h\x1b[?25l", "\x1b[?2004h", "\x1b[?1006h", "\x1b[<u\x1b[>1u", "\x1b[>4;2m", "\x1b]9;4;0\a\x1b]9;4;3\a"} {
		require.Error(t, Restored(strings.Repeat("x", 3)+left))
	}
}
