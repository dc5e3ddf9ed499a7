package store

import (
	"database/sql"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// Nothing that a call acknowledged is lost to a power cut, at whichever operation
// it comes and whatever it does to what was not flushed; and no transaction is
// there by half.
func TestAPowerCutLosesNothingAcknowledged(t *testing.T) {
	d := newDisk(t, mode{}, 0)
	unacknowledged := 0
	cuts := cutPower(t, d, d.engine(), func(dr *fullStory, path string, acknowledged int) {
		unacknowledged += dr.holds(path, acknowledged, true) - acknowledged
	})
	soaktest.Tried(t, cuts, "power cuts at an operation of the store, with synchronous=FULL as Pawl has it: none may lose anything")
	t.Logf("%d operations, %d power cuts: 0 lost an acknowledged call, 0 corrupt; %d kept one that was not yet acknowledged",
		d.tape.length(), cuts, unacknowledged)
}

// The counter-proof: the same cuts find what a store loses that does not flush each transaction.
func TestAPowerCutIsSeenToLoseWhatSynchronousNormalAcknowledged(t *testing.T) {
	d := newDisk(t, mode{}, 0)
	normal := d.engine()
	normal.open = func(source string) (*sql.DB, error) {
		return sql.Open("sqlite3", strings.Replace(d.source(source), "synchronous%28full%29", "synchronous%28normal%29", 1))
	}
	lost := 0
	cuts := cutPower(t, d, normal, func(dr *fullStory, path string, acknowledged int) {
		found, _ := look(t, path)
		next := min(acknowledged+1, len(dr.scenes))
		if !assert.ObjectsAreEqual(dr.images[acknowledged], found) && !assert.ObjectsAreEqual(dr.images[next], found) {
			lost++
		}
	})
	soaktest.Tried(t, cuts, "power cuts with synchronous=NORMAL, as the counter-proof")
	soaktest.Tried(t, lost, "of those lost something acknowledged, as they must")
	require.Positive(t, lost)
}

// cutPower plays the story once, cuts its power at some of its operations, in the soak at all, in each
// way, and gives how often. standing is called with the database that is left, and how many scenes
// were acknowledged.
func cutPower(t *testing.T, d *disk, e engine, standing func(dr *fullStory, path string, acknowledged int)) (cuts int) {
	d.tape = &tape{}
	dr := newFullStory(t, quick(t), e)
	var done []int // how many operations there were when each scene was acknowledged
	for _, sc := range dr.scenes {
		require.NoError(t, sc.act(dr), sc.name)
		done = append(done, d.tape.length())
	}
	require.Equal(t, len(dr.scenes), dr.holds(dr.path, len(dr.scenes), false))

	stride, rounds := 16, 1
	if soaktest.Wanted() {
		stride, rounds = 1, 10
	}
	random := rand.New(rand.NewPCG(1, 2))
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
				standing(dr, d.tape.cut(t, out, dr.path, n, damages[name], random), acknowledged)
			}
		}
	}
	return cuts
}
