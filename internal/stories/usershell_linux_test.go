package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What a command of the user's own starts is gone when it is stopped, or has ended: daemons too.
func TestNothingOfACommandOfTheUsersOwnIsLeft(t *testing.T) {
	t.Parallel()
	s := talking(t)
	x := s.Open(t)
	left := func() []int {
		return s.Processes(func(command string) bool { return strings.HasPrefix(command, "sleep\x00100") })
	}
	runs(x, "setsid sleep 1001 & (trap '' TERM HUP; setsid sleep 1002 &) ; trap '' TERM INT HUP; echo up; sleep 1003; sleep 1004")
	x.See("  up", "esc stops it")
	require.Eventually(t, func() bool { return len(left()) == 3 }, modeltest.Patience, time.Millisecond)
	x.Type(harness.KeyEsc)
	x.See("stopped by you")
	require.Eventually(t, func() bool { return len(left()) == 0 }, modeltest.Patience, time.Millisecond)
	x.Rest()
	runs(x, "setsid sleep 1005 >/dev/null 2>&1 & echo daemon")
	x.See("  daemon", "1 process that it left running was ended with it", "exit code 0")
	require.Eventually(t, func() bool { return len(left()) == 0 }, modeltest.Patience, time.Millisecond)
	x.Rest()
	require.Equal(t, 0, x.Quit())
}
