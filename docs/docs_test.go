package docs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachPageBeginsWithItsTitleAndItsIdea(t *testing.T) {
	require.NotEmpty(t, Pages())
	for _, page := range Pages() {
		lines := strings.Split(page.Text, "\n")
		require.Greater(t, len(lines), 4, page.Subject)
		require.Regexp(t, `^# \S`, lines[0], page.Subject)
		require.Empty(t, lines[1], page.Subject)
		require.Equal(t, page.Idea, lines[2])
		require.Empty(t, lines[3], "the idea of %s is one line, a paragraph of its own", page.Subject)
		require.Regexp(t, regexp.MustCompile(`^\S.*\.$`), page.Idea, page.Subject)
		require.NotContains(t, page.Idea, "`", page.Subject)
		require.LessOrEqual(t, len("stream-json  "+page.Idea), 90, page.Subject)
	}
}
