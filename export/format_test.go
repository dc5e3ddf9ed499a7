package export

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBriefIsForPeople(t *testing.T) {
	require.EqualError(t, Manner{Format: FormatJSON, Brief: true}.Check(), "brief is for people: use md or html")
	for _, format := range Formats() {
		require.NoError(t, Manner{Format: format, NoContent: true}.Check())
	}
	require.Equal(t, FormatHTML, FormatOf("a/b.json/run.html"))
	require.Equal(t, FormatMarkdown, FormatOf("json"))
}
