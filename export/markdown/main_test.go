package markdown

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/export/exporttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printed is a whole session as Markdown.
func printed(s *exporttest.Story) []byte { return printedAs(s, false) }

// inBrief is a session as one page.
func inBrief(s *exporttest.Story) []byte { return printedAs(s, true) }

func printedAs(s *exporttest.Story, brief bool) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, s.Source(), s.Facts.ID, s.Upto(), brief))
	return out.Bytes()
}
