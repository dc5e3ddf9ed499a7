package soaktest

import (
	"os"
	"strconv"
	"testing"
)

// Wanted says that there is time for every case: PAWL_SOAK is set, to anything but 0.
func Wanted() bool {
	set := os.Getenv("PAWL_SOAK")
	return set != "" && set != "0"
}

// Count is how often something is to be tried: few times in the gate, many with PAWL_SOAK=1,
// and with a larger number as often as it says.
func Count(t testing.TB, few, many int) int {
	t.Helper()
	if !Wanted() {
		return few
	}
	switch count, err := strconv.Atoi(os.Getenv("PAWL_SOAK")); {
	case err != nil || count < 0:
		t.Fatalf("PAWL_SOAK is %q: set it to 1, or to how often to try", os.Getenv("PAWL_SOAK"))
		return few
	case count == 1:
		return many
	default:
		return count
	}
}

// Tried logs what a test has counted while it tried, as "tried COUNT WHAT". What is plural and
// begins small: "kills at a record". Counts of the same words are added up over all tests.
func Tried(t testing.TB, count int, what string) {
	t.Helper()
	t.Logf("tried %d %s", count, what)
}

// Counterpart logs that a program or library which nobody here wrote was asked to check that
// many cases, and found no fault: the table of counterparts in RELIABILITY.md is made of these.
// version is what it says of itself, without spaces.
func Counterpart(t testing.TB, name, version string, cases int) {
	t.Helper()
	t.Logf("counterpart %s version %s cases %d", name, version, cases)
}
