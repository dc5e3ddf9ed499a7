package stories

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A command that says something now and then, whose child does not listen to TERM
// and whose grandchild has left its session.
const slowAndDeaf = `echo begun
bash -c 'trap "" TERM; : > child; exec -a mark-child sleep 1000' &
(setsid bash -c 'trap "" TERM HUP; : > grandchild; exec -a mark-grandchild sleep 1000' &)
until [ -e child ] && [ -e grandchild ]; do sleep 0.02; done
for i in {1..30}; do printf 'tick%s\n' "-$i"; sleep 0.2; done
wait
`

func TestATimeLimitEndsAllOfACommandThatWasSeenAtWork(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("work") && h.Answered("shell"):
			return modeltest.Say("It took too long.")
		case h.Child("work"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "bash stubborn.sh", "timeout_ms": 15_000}))
		case h.Answered("agent"):
			return modeltest.Say("That was all.")
		}
		return modeltest.Do(modeltest.Delegate("a slow command", "work"))
	})
	require.NoError(t, os.WriteFile(s.Dir+"/stubborn.sh", []byte(slowAndDeaf), 0o600))
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("go")
	x.SeeMatch(`a slow command.*tick-\d`)
	left := watch(t, append(marked(s, "mark-child"), marked(s, "mark-grandchild")...)...)
	require.Len(t, left, 2)
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("work") && h.Answered("shell") })
	require.Regexp(t, `(?s)^begun\ntick-1\n.*\n\[stopped: the time limit of 15s passed\. Give more with timeout_ms`, h.ResultsOf("shell")[0])
	left.gone(t)
	x.See("That was all.")
	require.Equal(t, 0, x.Quit())
}
