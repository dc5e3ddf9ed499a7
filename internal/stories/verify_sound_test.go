package stories

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/verify"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/store"
)

// vouched holds a session that the whole program wrote against what "pawl verify" knows:
// it must cry wolf over none of them.
func vouched(ctx context.Context, t testing.TB, source book.Source, upto lifecycle.Seq) {
	t.Helper()
	verdict, err := verify.Session(ctx, source, upto)
	require.NoError(t, err)
	require.Empty(t, verdict.Faults)
}

// vouchedAll does so for whatever sessions a stage has made, when its test is over and its
// processes are gone: every story is a proof of what "pawl verify" promises. A database
// that a story has broken is not for it to judge.
func (s *stage) vouchedAll(t testing.TB) {
	t.Helper()
	path := s.home + "/data/pawl.db"
	_, measured := t.(*testing.B)
	if _, err := os.Stat(path); err != nil || measured || t.Failed() {
		return
	}
	ctx := context.Background() // the test's own is over
	db, err := store.Open(ctx, path, store.Options{ReadOnly: true})
	if err != nil {
		return
	}
	defer db.Close()
	found, err := db.Sessions(ctx, store.Filter{RootsOnly: true})
	for _, info := range found {
		var newest lifecycle.Seq
		if newest, err = db.LastSeq(ctx, info.ID); err != nil {
			break
		}
		var opened []book.Opening
		if opened, err = stored.Openings(ctx, (&base.Base{Store: db}), info.ID); err != nil {
			break
		}
		var verdict verify.Verdict
		verdict, err = verify.Session(ctx, book.Source{
			Session: book.Session{ID: info.ID}, Runs: db.Runs, Records: db.Records, Messages: book.Stored(db.EntriesUntil),
			Openings: opened,
		}, newest)
		require.Empty(t, verdict.Faults)
	}
	if err != nil {
		t.Logf("the sessions of %s were not verified: %v", path, err)
	}
}
