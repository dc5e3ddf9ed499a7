package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// exported is a session in a format, up to a record.
func exported(s *exporttest.Story, format formats.Format, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, export.Write(s.T.Context(), &out, formats.Options{Format: format}, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}

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
	r, err := Open(t.Context(), kept(t, document))
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// again writes a recording in a format.
func again(t testing.TB, r *Recording, format formats.Format, secrets ...string) []byte {
	t.Helper()
	source := r.Source()
	source.Secrets = secrets
	var out bytes.Buffer
	require.NoError(t, export.Write(t.Context(), &out, formats.Options{Format: format}, source, source.Session.ID, r.Upto()))
	return out.Bytes()
}

// asStored is a story whose texts have been through JSON, as those of a database have.
func asStored(t *testing.T, s *exporttest.Story) *exporttest.Story {
	t.Helper()
	for i, rec := range s.Records {
		line, err := rec.MarshalJSON()
		require.NoError(t, err)
		require.NoError(t, s.Records[i].UnmarshalJSON(line))
	}
	s.Runs = exporttest.Folded(t, s.Records)
	return s
}

// What was exported and opened again is exported the same, in every format.
func TestARecordingIsExportedAsItsSessionWas(t *testing.T) {
	for name, s := range map[string]*exporttest.Story{"plot": exporttest.Plot(t), "hostile": asStored(t, exporttest.Hostile(t)), "empty": exporttest.NewStory(t)} {
		for upto := lifecycle.Seq(0); upto <= s.Upto(); upto += 29 {
			document := exported(s, formats.JSON, upto)
			require.True(t, bytes.Equal(document, again(t, reopened(t, document), formats.JSON)), "%s at record %d", name, upto)
		}
		r := reopened(t, exported(s, formats.JSON, s.Upto()))
		for _, format := range formats.All() {
			require.True(t, bytes.Equal(unkept(s, format), again(t, r, format)), "%s as %s", name, format)
		}
	}
}

// unkept is an export of a whole session of which no file is kept: a document has none.
func unkept(s *exporttest.Story, format formats.Format) []byte {
	s.T.Helper()
	source := s.Source()
	source.Contents = nil
	var out bytes.Buffer
	require.NoError(s.T, export.Write(s.T.Context(), &out, formats.Options{Format: format}, source, s.Facts.ID, s.Upto()))
	return out.Bytes()
}

// Who opens a document has secrets of another sort than who wrote it: what is masked stays
// so, and theirs do not get into the copy.
func TestARecordingKeepsItsMasks(t *testing.T) {
	s := exporttest.Plot(t)
	s.Secrets = []string{"correct-horse-battery"}
	s.Add("s-map", "r-map2", lifecycle.Text{Text: "it is correct-hor"}, lifecycle.Text{Text: "se-battery, and sk-ant-"}, lifecycle.Text{Text: "api03-abcdefgh with password=hunter2hunter2 or xyzzy-plugh-1977"})
	document := exported(s, formats.JSON, s.Upto())
	r := reopened(t, document)
	for _, secrets := range [][]string{nil, s.Secrets, {"a-secret-of-another-process", "[masked]"}} {
		require.Equal(t, string(document), string(again(t, r, formats.JSON, secrets...)), "%q", secrets)
	}
	require.NotContains(t, string(again(t, r, formats.JSON, "xyzzy-plugh-1977")), "plugh")
}

// A document without content is written again as one.
func TestARecordingWithoutContentStaysSo(t *testing.T) {
	s := exporttest.Plot(t)
	var bare bytes.Buffer
	require.NoError(t, export.Write(t.Context(), &bare, formats.Options{Format: formats.JSON, NoContent: true}, s.Source(), exporttest.Root, s.Upto()))
	r := reopened(t, bare.Bytes())
	require.Equal(t, bare.String(), string(again(t, r, formats.JSON)))
	var twice bytes.Buffer
	source := r.Source()
	require.NoError(t, export.Write(t.Context(), &twice, formats.Options{Format: formats.JSON, NoContent: true}, source, source.Session.ID, r.Upto()))
	require.Equal(t, bare.String(), twice.String())

	var later bytes.Buffer // and one with content loses it as its session would
	whole := reopened(t, exported(s, formats.JSON, s.Upto()))
	require.NoError(t, export.Write(t.Context(), &later, formats.Options{Format: formats.JSON, NoContent: true}, whole.Source(), exporttest.Root, s.Upto()))
	require.Contains(t, later.String(), `"content":false`)
	require.NotContains(t, later.String(), "I start five agents.")
	reopened(t, later.Bytes())
}
