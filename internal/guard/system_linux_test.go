package guard

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheKernelsNumbersAreThoseOfThisMachine(t *testing.T) {
	for want, got := range map[int]int{
		unix.TCGETS: ioctlGetTermios, unix.TCSETS: ioctlSetTermios, unix.TCFLSH: ioctlFlush,
		unix.PR_SET_CHILD_SUBREAPER: setSubreaper, unix.PR_SET_DUMPABLE: setDumpable,
	} {
		if got != want {
			t.Errorf("%#x, not %#x", got, want)
		}
	}
}
