package recording

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

// Pages are the log and its parts, from wherever they are asked for.
func TestARecordingIsReadByPages(t *testing.T) {
	const records = 400
	path := longFile(t, records)
	r, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer r.Close()
	want, err := exporttest.Long(records).Records(t.Context(), exporttest.Root, 0, records)
	require.NoError(t, err)
	src := r.Source()
	for _, after := range []int{0, 1, 127, 128, 129, 255, 399, 400, 2000, 3} {
		for _, limit := range []int{1, 2, 128, 0} {
			got, err := src.Records(t.Context(), exporttest.Root, lifecycle.Seq(after), limit)
			require.NoError(t, err)
			rest := want[min(after, records):]
			if limit > 0 {
				rest = rest[:min(limit, len(rest))]
			}
			require.Equal(t, len(rest), len(got), "%d after %d", limit, after)
			for i := range got {
				require.Equal(t, rest[i].Seq, got[i].Seq)
			}
		}
	}
	other, err := src.Records(t.Context(), "s-other", 0, 10)
	require.NoError(t, err)
	require.Empty(t, other)
}

// Tail is the end of one session's part, as the store gives it.
func TestARecordingHasATail(t *testing.T) {
	s := exporttest.Plot(t)
	r := reopened(t, exported(s, formats.JSON, s.Upto()))
	for _, session := range []lifecycle.SessionID{exporttest.Root, "s-map", "s-serve", "s-none"} {
		for _, before := range []lifecycle.Seq{0, 1, 2, 60, s.Upto(), s.Upto() + 9} {
			for _, limit := range []int{0, 1, 5, 1000} {
				var want []lifecycle.Record
				for _, rec := range s.Records {
					if rec.Session == session && (before == 0 || rec.Seq < before) {
						want = append(want, rec)
					}
				}
				if limit > 0 {
					want = want[max(0, len(want)-limit):]
				}
				got, err := r.Tail(t.Context(), session, before, limit)
				require.NoError(t, err)
				require.Equal(t, len(want), len(got), "%d of %s before %d", limit, session, before)
				for i := range want {
					require.Equal(t, want[i].Seq, got[i].Seq)
				}
			}
		}
	}
}

// A screen reads pages while an export is written.
func TestARecordingIsReadByManyAtOnce(t *testing.T) {
	s := exporttest.Plot(t)
	document := exported(s, formats.JSON, s.Upto())
	r := reopened(t, document)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			var out bytes.Buffer
			assert.NoError(t, jsondoc.Write(t.Context(), &out, r.Source(), exporttest.Root, r.Upto()))
			assert.Equal(t, document, out.Bytes())
		})
		wait.Go(func() {
			tail, err := r.Tail(t.Context(), "s-map", 0, 5)
			assert.NoError(t, err)
			assert.Len(t, tail, 5)
		})
	}
	wait.Wait()
}

// What stays in memory of a document are places and names.
func TestARecordingHoldsPlacesAlone(t *testing.T) {
	held := func(records lifecycle.Seq) uint64 {
		path := longFile(t, records)
		before := exporttest.Heap()
		r, err := Open(t.Context(), path)
		require.NoError(t, err)
		after := exporttest.Heap()
		require.NoError(t, r.Close())
		return after - min(before, after)
	}
	small, large := held(500), held(5_500)
	require.Less(t, large, small+32<<10)
}

// A document cannot make its reader hold more than so much.
func TestARecordingBoundsWhatItHolds(t *testing.T) {
	fill := func(add func(n int) error) (int, error) {
		for n := 0; ; n++ {
			if err := add(n); err != nil || n > 300_000 {
				return n, err
			}
		}
	}
	near, apart := index{apart: recordsApart}, index{apart: recordsApart}
	empty := func() *Recording {
		return &Recording{sessions: map[lifecycle.SessionID]*sessionIndex{}, runs: index{apart: runsApart}}
	}
	met := map[lifecycle.RunID]bool{}
	runs, sessions, named, long := empty(), empty(), empty(), empty()
	for name, c := range map[string]struct {
		add func(n int) error
		at  int
	}{
		"runs":     {func(n int) error { return runs.addRun(lifecycle.RunID(fmt.Sprint(n)), met, 1) }, maxRuns},
		"sessions": {func(n int) error { _, err := sessions.session(lifecycle.SessionID(fmt.Sprint(n))); return err }, maxSessions},
		"ids": {func(n int) error {
			_, err := named.session(lifecycle.SessionID(fmt.Sprintf("%01048576d", n)))
			return err
		}, maxIDs >> 20},
		"long runs":      {func(n int) error { return long.addRun(lifecycle.RunID(fmt.Sprint("long", n)), met, int64(n)<<20) }, maxRunsSize>>20 + 1},
		"long records":   {func(n int) error { return apart.add(int64(n) * 8 << 20) }, 17},
		"records enough": {func(n int) error { return near.add(int64(n) << 20) }, 300_001},
	} {
		n, err := fill(c.add)
		require.Equal(t, c.at, n, "%s: %v", name, err)
		require.Equal(t, c.at <= 300_000, err != nil, name)
	}
}
