package words

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const day = 24 * time.Hour

func TestADurationIsWrittenInWholeSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 999 * time.Millisecond: "0s", 4900 * time.Millisecond: "4s", 59999 * time.Millisecond: "59s",
		time.Minute: "1m00s", 62 * time.Second: "1m02s", time.Hour - 1: "59m59s",
		time.Hour: "1h00m", 2*time.Hour + 5*time.Minute + 59*time.Second: "2h05m", 30 * time.Hour: "30h00m",
	} {
		require.Equal(t, want, Duration(d))
	}
}

func TestARoundedDurationHasTheDigitsThatMatter(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 1500 * time.Microsecond: "2ms", 12340 * time.Millisecond: "12.3s", 59990 * time.Millisecond: "1m", 90 * time.Second: "1m30s",
		5 * time.Minute: "5m", time.Hour - time.Millisecond: "1h", 2*time.Hour + 20*time.Second: "2h", 26*time.Hour + 5*time.Minute: "26h5m",
	} {
		require.Equal(t, want, Rounded(d))
	}
}

func TestAnExactDurationLeavesOutTheZerosAtItsEnd(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 15 * time.Microsecond: "15us", 1500 * time.Millisecond: "1.5s", 10 * time.Second: "10s", 2 * time.Minute: "2m",
		10 * time.Minute: "10m", time.Hour: "1h", 20 * time.Hour: "20h", 65 * time.Minute: "1h5m", time.Hour + time.Second: "1h0m1s",
	} {
		require.Equal(t, want, Exact(d))
	}
}

func TestAgoNamesTheLargestUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", time.Minute: "1m ago", 119 * time.Minute: "1h ago", day: "1d ago",
		59 * day: "59d ago", 60 * day: "2mo ago", 364 * day: "12mo ago", 365 * day: "1y ago",
	} {
		require.Equal(t, want, Ago(d))
	}
}
