package export

import (
	"bytes"
	"testing"

	"pawl/export/exporttest"
	"pawl/lifecycle"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printed is the session in a format, up to a record.
func printed(s *exporttest.Story, format Format, upto lifecycle.Seq) []byte {
	s.T.Helper()
	return printedAs(s, Manner{Format: format}, upto)
}

// printedAs is the session in any manner.
func printedAs(s *exporttest.Story, as Manner, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, as, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}
