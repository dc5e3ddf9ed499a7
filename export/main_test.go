package export

import (
	"bytes"
	"testing"

	"pawl/lifecycle"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printed is the session in a format, up to a record.
func printed(s *story, format Format, upto lifecycle.Seq) []byte {
	s.t.Helper()
	return printedAs(s, Manner{Format: format}, upto)
}

// printedAs is the session in any manner.
func printedAs(s *story, as Manner, upto lifecycle.Seq) []byte {
	s.t.Helper()
	var out bytes.Buffer
	require.NoError(s.t, Write(s.t.Context(), &out, as, s.source(), s.facts.ID, upto))
	return out.Bytes()
}
