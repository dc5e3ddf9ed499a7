package export

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// kept writes a document to a file.
func kept(t testing.TB, document []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.json")
	require.NoError(t, os.WriteFile(path, document, 0o600))
	return path
}

// reopened is a document that was written to a file and opened.
func reopened(t testing.TB, document []byte) *Recording {
	t.Helper()
	r, err := OpenRecording(t.Context(), kept(t, document))
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// again writes a recording in a format.
func again(t testing.TB, r *Recording, format Format, secrets ...string) []byte {
	t.Helper()
	source := r.Source()
	source.Secrets = secrets
	var out bytes.Buffer
	require.NoError(t, Write(t.Context(), &out, Manner{Format: format}, source, source.Session.ID, r.Upto()))
	return out.Bytes()
}

// asStored is a story whose texts have been through JSON, as those of a database have.
func asStored(t *testing.T, s *story) *story {
	t.Helper()
	for i, rec := range s.records {
		line, err := rec.MarshalJSON()
		require.NoError(t, err)
		require.NoError(t, s.records[i].UnmarshalJSON(line))
	}
	s.runs = folded(t, s.records)
	return s
}

// What was exported and opened again is exported the same, in every format.
func TestARecordingIsExportedAsItsSessionWas(t *testing.T) {
	for name, s := range map[string]*story{"plot": plot(t), "hostile": asStored(t, hostile(t)), "empty": newStory(t)} {
		for upto := lifecycle.Seq(0); upto <= s.upto(); upto += 9 {
			document := s.export(FormatJSON, upto)
			r := reopened(t, document)
			require.Equal(t, upto, r.Upto())
			for _, secret := range []string{"", "a-secret-of-another-process"} {
				require.True(t, bytes.Equal(document, again(t, r, FormatJSON, secret)), "%s at record %d", name, upto)
			}
			for _, format := range Formats() {
				require.True(t, bytes.Equal(s.export(format, upto), again(t, r, format)), "%s at record %d as %s", name, upto, format)
			}
		}
	}
}
