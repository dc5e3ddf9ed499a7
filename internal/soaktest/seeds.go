package soaktest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Seeds are those that a random test plays: as many as Count says, from 0 or PAWL_SOAK_FIRST
// on, so that a long test can be played in pieces; or the one that PAWL_SEED names.
func Seeds(t testing.TB, few, many int) []uint64 {
	t.Helper()
	if seed, named := number(t, "PAWL_SEED"); named {
		return []uint64{seed}
	}
	first, _ := number(t, "PAWL_SOAK_FIRST")
	all := make([]uint64, Count(t, few, many))
	for i := range all {
		all[i] = first + uint64(i)
	}
	return all
}

// Again logs, once a test has failed, the line that plays its seed again. It begins its
// line with "again:", which RELIABILITY.md repeats.
func Again(t testing.TB, seed uint64) {
	t.Helper()
	where := here()
	test, _, _ := strings.Cut(t.Name(), "/")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("again: PAWL_SEED=%d go test -count=1 %s -run '^%s$'", seed, where, test)
		}
	})
}

func number(t testing.TB, variable string) (uint64, bool) {
	t.Helper()
	text, set := os.LookupEnv(variable)
	if !set {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s is %q: set it to a number", variable, text)
	}
	return n, true
}

// here is the package of the test that is running, as go test names it in the module's root:
// tests run in their own folder.
func here() string {
	folder, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := folder; root != filepath.Dir(root); root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return "." + filepath.ToSlash(strings.TrimPrefix(folder, root))
		}
	}
	return "."
}
