package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Nobody waits for a program to be ready before they type: what was typed while the
// terminal was still the shell's, and on through the start, stands in the line, every
// letter once and in order, and is what the model reads.
func TestWhatIsTypedDuringTheStartStandsInTheLine(t *testing.T) {
	t.Parallel()
	const whole = "somebody types these words and does not look up"
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if strings.HasSuffix(h.Messages[len(h.Messages)-1].Text, whole) {
			return modeltest.Say("It came whole.")
		}
		return modeltest.Say("It came in pieces.")
	})
	x := harness.Start(t, s.Dir, s.Env, s.Flags()...)
	for _, letters := range strings.SplitAfter(whole, " ") {
		x.TypeIntoTheStart(letters)
	}
	seeLine(x, whole)
	x.Type(harness.KeyEnter)
	x.See("It came whole.")
	require.Equal(t, 0, x.Quit())
}
