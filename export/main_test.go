package export

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printed is the session in a format, up to a record.
func printed(s *exporttest.Story, format formats.Format, upto lifecycle.Seq) []byte {
	s.T.Helper()
	return printedAs(s, formats.Options{Format: format}, upto)
}

// printedAs is the session with any options.
func printedAs(s *exporttest.Story, as formats.Options, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, as, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}
