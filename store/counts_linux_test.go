package store

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

// asked is what a goroutine that is locked to its thread has asked the system for so far:
// reads and writes, and the bytes of the writes.
func asked(t testing.TB) (calls, bytes float64) {
	text, err := os.ReadFile("/proc/thread-self/io")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var name string
		var n float64
		fmt.Sscan(line, &name, &n)
		switch name {
		case "syscr:", "syscw:":
			calls += n
		case "wchar:":
			bytes = n
		}
	}
	return calls, bytes
}

// The engine that people get works on the goroutine of its caller. What it maps, locks and
// flushes is not among the reads and writes.
func TestCostOf100RecordsInSystemCalls(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, most := range mostOnDisk {
		size := most.size
		s := open(t, swift(t))
		j := busy(t, s)
		require.NoError(t, s.Append(context.Background(), work(j, 10)))
		calls, bytes := asked(t)
		for range 100 / size {
			require.NoError(t, s.Append(context.Background(), work(j, size)))
		}
		callsNow, bytesNow := asked(t)
		own, _ := asked(t) // what asking takes
		counttest.AtMost(t, fmt.Sprintf("reads and writes of 100 records, %d a transaction", size), most.writes, callsNow-calls-(own-callsNow))
		counttest.AtMost(t, fmt.Sprintf("bytes of 100 records, %d a transaction", size), most.bytes, bytesNow-bytes)
	}
}
