package jsondoc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/export/exporttest"
	"pawl/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printed is a session as a document, up to a record.
func printed(s *exporttest.Story, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}
