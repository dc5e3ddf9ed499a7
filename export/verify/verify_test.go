package verify

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/jsondoc"
	"pawl/export/recording"
	"pawl/export/redact"
	"pawl/lifecycle"
)

// document is a session as JSON, up to a record.
func document(s *exporttest.Story, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, jsondoc.Write(s.T.Context(), &out, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}

// The session in which all happens keeps every promise, as it is stored and as it was
// exported, with its content and without.
func TestASessionWithEverythingKeepsEveryPromise(t *testing.T) {
	s := exporttest.Everything(t)
	verdict, err := Session(t.Context(), s.Source(), s.Upto())
	require.NoError(t, err)
	require.Empty(t, verdict.Faults)
	require.Equal(t, s.Upto(), verdict.Records)
	require.Len(t, s.Runs, verdict.Runs)

	src, root, err := redact.Source(t.Context(), s.Source(), s.Facts.ID, s.Upto())
	require.NoError(t, err)
	var bare bytes.Buffer
	require.NoError(t, jsondoc.Write(t.Context(), &bare, src, root, s.Upto()))
	for name, document := range map[string][]byte{"whole": document(s, s.Upto()), "without content": bare.Bytes()} {
		read, err := recording.Read(t.Context(), bytes.NewReader(document), name)
		require.NoError(t, err)
		verdict, err := Session(t.Context(), read.Source(), read.Upto())
		require.NoError(t, err)
		require.Empty(t, verdict.Faults, name)
		require.NoError(t, read.Close())
	}
}

// A Pawl before November 2026 did not count the messages that a run left unread.
func TestARunOfAnOlderPawlMatchesItsRecords(t *testing.T) {
	a := audit{runs: map[lifecycle.RunID]lifecycle.Run{"r": {ID: "r", Unread: 2}}}
	for said, same := range map[int]bool{0: true, 1: false, 2: true} {
		a.receipts = map[lifecycle.RunID]lifecycle.Run{"r": {ID: "r", Unread: said}}
		require.Equal(t, same, len(a.differ(a.receipts["r"], a.folded("r"))) == 0, said)
	}
}
