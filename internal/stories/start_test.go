package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody waits for a program to be ready before they type: what was typed while the
// terminal was still the shell's, and on through the start, stands in the line, every
// letter once and in order, and is what the model reads.
func TestWhatIsTypedDuringTheStartStandsInTheLine(t *testing.T) {
	t.Parallel()
	const whole = "somebody types these words and does not look up"
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if strings.HasSuffix(h.messages[len(h.messages)-1].text, whole) {
			return say("It came whole.")
		}
		return say("It came in pieces.")
	})
	x := start(t, s.dir, s.env, s.flags()...)
	for _, letters := range strings.SplitAfter(whole, " ") {
		x.typeIntoTheStart(letters)
	}
	x.line(whole)
	x.type_(keyEnter)
	x.see("It came whole.")
	require.Equal(t, 0, x.quit())
}
