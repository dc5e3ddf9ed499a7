package guard

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// One key is reported twice, by the kernel and by the guard, in any order and, where
// the machine is starved, seconds apart; two keys are two all the same.
func TestOneSignalThatIsReportedTwiceIsOne(t *testing.T) {
	const quick, slow, never = 100 * time.Millisecond, 2 * time.Second, 20 * time.Second
	for order, want := range map[string]int{
		"d":     1,
		"h":     1,
		"dh":    1,
		"hd":    1,
		"dd":    2,
		"ddhh":  2,
		"dhdh":  2,
		"hdhd":  2,
		"hhdd":  2,
		"hdh":   1, // timeout sends to the guard, then to all of its group
		"hh":    1,
		"h-h":   2,
		"d-d":   2,
		"d-h":   1,
		"h-d":   1,
		"d~h":   2,
		"h~d":   2,
		"dh-h":  2,
		"hd-d":  2,
		"hd-hd": 2,
		"d-h-h": 2,
	} {
		seen, now, news := NewReports(), time.Now(), 0
		for _, way := range order {
			came := false
			switch now = now.Add(quick); way {
			case 'd':
				came = seen.Direct(syscall.SIGINT, now)
			case 'h':
				came = seen.Forwarded(syscall.SIGINT, now)
			case '-':
				now = now.Add(slow)
			case '~':
				now = now.Add(never)
			}
			if came {
				news++
			}
		}
		require.Equal(t, want, news, order)
	}
	seen, now := NewReports(), time.Now()
	require.True(t, seen.Direct(syscall.SIGINT, now))
	require.True(t, seen.Forwarded(syscall.SIGTERM, now), "another signal is another one")
}
