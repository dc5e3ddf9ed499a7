package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// tally is what one kind of failure came to, over all the points at which it can
// come.
type tally struct {
	points   int // at which something failed
	reported int // a call gave an error
	hidden   int // no call did, and nothing was lost
	landed   int // reported as failed, and whole on disk for who opens it next
}

// Wherever the disk fails, the call says so in one line that names the file, what
// was acknowledged stays, what was not is there whole or not at all, and all goes
// on when the disk is well again.
func TestNothingIsLostWhereverTheDiskFails(t *testing.T) {
	for i, failure := range failures {
		t.Run(failure.name, func(t *testing.T) {
			t.Parallel()
			var sum tally
			stride := 32
			if soaktest.Wanted() {
				stride = 1
			}
			for at := 1 + i%stride; perform(t, failure, at, &sum); at += stride {
			}
			t.Logf("%-20s %4d points  %4d reported  %4d without effect  %4d reported as failed, and whole on disk",
				failure.name, sum.points, sum.reported, sum.hidden, sum.landed)
			soaktest.Tried(t, sum.points, "I/O faults of a kind at an operation of the store")
			require.NotZero(t, sum.reported)
		})
	}
}

// perform plays the story on a disk that fails at one operation, and says whether it
// came to that.
func perform(t *testing.T, failure mode, at int, sum *tally) bool {
	d := newDisk(t, failure, at)
	folder, err := os.MkdirTemp(quick(t), "")
	require.NoError(t, err)
	dr := newFullStory(t, folder, d.engine())
	reported := false
	for i, sc := range dr.scenes {
		err := sc.act(dr)
		if err == nil {
			continue
		}
		reported = true
		dr.worded(d, err, sc.name, at)
		if dr.holds(dr.killed(), i, true) > i && !assert.ObjectsAreEqual(dr.images[i], dr.images[i+1]) {
			sum.landed++
		}
		if failure.forever {
			if err := sc.act(dr); err != nil { // a close, and a removal that was done, have nothing left to do
				dr.worded(d, err, sc.name, at)
			}
			d.heal()
		}
		require.NoError(t, sc.act(dr), "%s at operation %d, once the disk is well again", sc.name, at)
	}
	if !d.hit() {
		return false
	}
	dr.holds(dr.path, len(dr.scenes), false)
	sum.points++
	if reported {
		sum.reported++
	} else {
		sum.hidden++
	}
	return true
}

// worded holds an error against what people are promised of it.
func (dr *fullStory) worded(d *disk, err error, act string, at int) {
	dr.t.Helper()
	require.Error(dr.t, err)
	require.True(dr.t, d.hit(), "%s, and the disk was well: %v", act, err)
	require.NotContains(dr.t, err.Error(), "\n")
	require.Contains(dr.t, err.Error(), filepath.Dir(dr.path), "%s at operation %d", act, at)
	var fault *Fault
	require.ErrorAs(dr.t, err, &fault, "%s at operation %d: it must say what to do", act, at)
	if slices.Equal(d.failed, []operation{opWrite}) && strings.HasPrefix(d.mode.name, "full") {
		require.ErrorIs(dr.t, err, ErrFull)
	}
}

// killed is a copy of the database as it would stand if the process were killed
// now.
func (dr *fullStory) killed() string {
	to := filepath.Join(quick(dr.t), filepath.Base(dr.path))
	for _, rest := range []string{"", "-wal"} {
		content, err := os.ReadFile(dr.path + rest)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(dr.t, err)
		require.NoError(dr.t, os.WriteFile(to+rest, content, 0o600))
	}
	return to
}
