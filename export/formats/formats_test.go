package formats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBriefIsForPeople(t *testing.T) {
	require.EqualError(t, Options{Format: JSON, Brief: true}.Check(), "brief works only with md or html")
	for _, format := range All() {
		require.NotEmpty(t, format.Purpose())
		require.NoError(t, Options{Format: format, NoContent: true}.Check())
	}
	require.Equal(t, HTML, Of("a/b.json/run.html"))
	require.Equal(t, Markdown, Of("json"))
}
