package cmp

import "testing"

func TestNothingIsTakenForEqual(t *testing.T) {
	same := func(int, int) bool { return true }
	if Diff(1, 1, Options{Comparer(same)}) == "" {
		t.Error("1 and 1 were compared")
	}
}
