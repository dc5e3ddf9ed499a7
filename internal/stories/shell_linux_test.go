package stories

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command that says something now and then, whose child does not listen to TERM
// and whose grandchild has left its session.
const slowAndDeaf = `echo begun
bash -c 'trap "" TERM; touch child; sleep 1000; : mark-child' &
(setsid bash -c 'trap "" TERM HUP; touch grandchild; sleep 1000; : mark-grandchild' &)
until [ -e child ] && [ -e grandchild ]; do sleep 0.02; done
for i in {1..30}; do printf 'tick%s\n' "-$i"; sleep 0.2; done
wait
`

func TestATimeLimitEndsAllOfACommandThatWasSeenAtWork(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("work") && h.answered("shell"):
			return say("It took too long.")
		case h.child("work"):
			return do(use("shell", object{"command": "bash stubborn.sh", "timeout_ms": 5000}))
		case h.answered("agent"):
			return say("That was all.")
		}
		return do(delegate("a slow command", "work"))
	})
	require.NoError(t, os.WriteFile(s.dir+"/stubborn.sh", []byte(slowAndDeaf), 0o600))
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("go")
	x.seeMatch(`a slow command.*tick-\d`)
	left := watch(t, append(s.marked("mark-child"), s.marked("mark-grandchild")...)...)
	require.Len(t, left, 2)
	h := s.server.await(t, func(h heard) bool { return h.child("work") && h.answered("shell") })
	require.Regexp(t, `(?s)^begun\ntick-1\n.*\n\[stopped: the time limit of 5s passed\. Give more with timeout_ms`, h.resultsOf("shell")[0])
	left.gone(t)
	x.see("That was all.")
	require.Equal(t, 0, x.quit())
}
