package store

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nothing that a call acknowledged is lost to a power cut, at whichever operation
// it comes and whatever it does to what was not flushed; and no transaction is
// there by half.
func TestAPowerCutLosesNothingAcknowledged(t *testing.T) {
	folder := quick(t)
	d := newDisk(t, mode{}, 0)
	d.tape = &tape{}
	dr := newFullStory(t, folder, d.engine())
	var done []int // how many operations there were when each scene was acknowledged
	for _, sc := range dr.scenes {
		require.NoError(t, sc.act(dr), sc.name)
		done = append(done, d.tape.length())
	}
	require.Equal(t, len(dr.scenes), dr.holds(dr.path, len(dr.scenes), false))

	stride, rounds := 16, 1
	if soaking() {
		stride, rounds = 1, 10
	}
	random := rand.New(rand.NewPCG(1, 2))
	cuts, unacknowledged := 0, 0
	out := quick(t)
	for n := 1; n <= d.tape.length(); n++ {
		acknowledged, _ := slices.BinarySearch(done, n) // those whose last operation came before n
		for i, name := range slices.Sorted(maps.Keys(damages)) {
			if (n+i)%stride != 0 {
				continue
			}
			for round := range rounds {
				if round > 0 && name != "at random" {
					break // the others leave the same each time
				}
				cuts++
				path := d.tape.cut(t, out, dr.path, n, damages[name], random)
				unacknowledged += dr.holds(path, acknowledged, true) - acknowledged
			}
		}
	}
	t.Logf("%d operations, %d power cuts: 0 lost an acknowledged call, 0 corrupt; %d kept one that was not yet acknowledged",
		d.tape.length(), cuts, unacknowledged)
}
