package markdown

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
)

func TestMarkdownOfASession(t *testing.T) {
	exporttest.Golden(t, "session.md", printed(exporttest.Plot(t)))
	exporttest.Golden(t, "empty.md", printed(exporttest.NewStory(t)))
}

func TestHostileContentStaysInItsPlace(t *testing.T) {
	s := exporttest.Hostile(t)
	out := printed(s)
	exporttest.Golden(t, "hostile.md", out)
	exporttest.RequireTame(t, out)
	for _, line := range strings.Split(string(trailOf(t, out)), "\n") {
		require.Regexp(t, `^ *[0-9]+  2026-`, line)
	}
}

// trailOf cuts the log out of an export.
func trailOf(t *testing.T, out []byte) []byte {
	t.Helper()
	_, trail, ok := bytes.Cut(out, []byte("## Lifecycle trail\n\n```text\n"))
	require.True(t, ok)
	trail, ok = bytes.CutSuffix(trail, []byte("\n```\n"))
	require.True(t, ok)
	return trail
}

func FuzzMarkdown(f *testing.F) {
	for _, one := range exporttest.Evil {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := exporttest.Planting(t, text)
		exporttest.RequireTame(t, printed(s))
	})
}
