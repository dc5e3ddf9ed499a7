// Package tiny has a test for each way in which one can end.
package tiny

import (
	"os"
	"testing"
)

func TestGood(t *testing.T) {
	t.Run("a case", func(t *testing.T) { t.Log("tried 20 small things") })
	t.Run("another", func(t *testing.T) { t.Log("tried 22 small things") })
	t.Log("counterpart The Other version 1.2.3 cases 7")
}

func TestBad(t *testing.T) {
	t.Run("seed 7", func(t *testing.T) {
		t.Log("again: PAWL_SEED=7 go test ./small -run '^TestBad$'")
		t.Error("two | and one are four")
	})
}

func TestWorse(t *testing.T) { t.Error(os.Getenv("PAWL_SOAK"), os.Getenv("PAWL_SOAK_FIRST")) }

func TestNotHere(t *testing.T) { t.Skip("there is no such machine") }

func TestForEver(t *testing.T) {
	if err := os.WriteFile("begun", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	<-make(chan int)
}

func FuzzTiny(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 3 && data[0] == 'x' && os.Getenv("FAILS") != "" {
			t.Error("an x")
		}
	})
}
