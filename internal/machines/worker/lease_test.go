package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
)

func TestARunIsGivenUpWhenNobodyIsHeardForItsSpan(t *testing.T) {
	times := machines.DefaultTimes
	for _, c := range []struct {
		what         string
		idempotent   bool
		gone         bool
		host, server time.Duration // since they were heard
		up           bool
	}{
		{"another may begin it", true, false, 8 * time.Second, 8 * time.Second, true},
		{"the server is there", true, false, 8 * time.Second, time.Second, false},
		{"the host is there", true, false, time.Second, 8 * time.Second, false},
		{"its process is gone", true, true, 8 * time.Second, 8 * time.Second, false},
		{"nobody else begins it", false, false, 8 * time.Second, 8 * time.Second, false},
		{"no server for long", false, false, 11 * time.Minute, 11 * time.Minute, true},
		{"no host for long", false, false, 61 * time.Minute, 0, true},
		{"its host is away", false, false, 59 * time.Minute, 0, false},
	} {
		r := &run{run: Run{Idempotent: c.idempotent}, host: elapsed() - c.host, confirmed: elapsed() - c.server}
		if c.gone {
			r.gone = &machines.Gone{}
		}
		require.Equal(t, c.up, r.expired(times) != "", c.what)
	}
}
