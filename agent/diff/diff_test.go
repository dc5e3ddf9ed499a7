package diff

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDiffCountsAndShows(t *testing.T) {
	var lines []string
	for i := 1; i <= 30; i++ {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	before := strings.Join(lines, "\n") + "\n"
	after := strings.Replace(before, "line 20\n", "new 20\nnew 21\n", 1)
	view := Of("f", before, after)
	require.Equal(t, 2, view.Added)
	require.Equal(t, 1, view.Removed)
	require.Equal(t, "--- a/f\n+++ b/f\n@@ -17,7 +17,8 @@\n line 17\n line 18\n line 19\n-line 20\n+new 20\n+new 21\n line 21\n line 22\n line 23\n", view.Diff)
}

func TestDiffShowsPlainLinesOfCRLFFiles(t *testing.T) {
	require.NotContains(t, Of("f", "a\r\nb\r\n", "a\r\nc\r\n").Diff, "\r")
	require.Contains(t, Of("f", "a\r\nb\r\n", "a\nb\n").Diff, "-a\r\n")
}

func TestDiffSaysWhereTheNewlineIsMissing(t *testing.T) {
	require.Contains(t, Of("f", "a\nb", "a\nb\n").Diff, "\\ No newline at end of file")
}

func TestDiffOfHugeChangesIsBounded(t *testing.T) {
	before := strings.Repeat("some line of text\n", 200_000)
	began := time.Now()
	view := Of("f", before, strings.ReplaceAll(before, "line", "row"))
	require.Equal(t, 200_000, view.Added)
	require.Less(t, len(view.Diff), maxDiff+100)
	require.Contains(t, view.Diff, "more lines not shown")
	var mixed strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&mixed, "line %d\nsame\n", i)
	}
	Of("f", mixed.String(), strings.ReplaceAll(mixed.String(), "line", "row"))
	require.Less(t, time.Since(began), 30*time.Second)
}

// Every diff, applied to the old text by its line numbers, gives the new one.
func TestDiffApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d"})
		text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(line, 0, 30).Draw(t, "lines"), "") })
		start, end := text.Draw(t, "start"), text.Draw(t, "end")
		before, after := start+text.Draw(t, "before")+end, start+text.Draw(t, "after")+end
		view := Of("f", before, after)
		require.Equal(t, after, applied(t, before, view.Diff), view.Diff)
	})
}

// applied applies a unified diff, line by line.
func applied(t require.TestingT, before, unified string) string {
	if unified == "" {
		return before
	}
	var out strings.Builder
	old := strings.SplitAfter(before, "\n")
	at, last := 0, ""
	flush := func() { out.WriteString(last); last = "" }
	for _, line := range strings.SplitAfter(unified, "\n")[2:] {
		switch {
		case line == "":
		case line[0] == '@':
			var from int
			_, err := fmt.Sscanf(line, "@@ -%d", &from)
			require.NoError(t, err)
			flush()
			for ; at < from-1; at++ {
				out.WriteString(old[at])
			}
		case line[0] == '\\':
			last = strings.TrimSuffix(last, "\n")
		case line[0] == '-':
			flush()
			require.Equal(t, strings.TrimSuffix(old[at], "\n"), strings.TrimSuffix(line[1:], "\n"))
			at++
		case line[0] == ' ':
			flush()
			require.Equal(t, strings.TrimSuffix(old[at], "\n"), strings.TrimSuffix(line[1:], "\n"))
			last = line[1:]
			at++
		case line[0] == '+':
			flush()
			last = line[1:]
		}
	}
	flush()
	out.WriteString(strings.Join(old[at:], ""))
	return out.String()
}

func TestBinaryContentIsNamedAndNotShown(t *testing.T) {
	view := Of("logo.png", "\x89PNG\x00", "\x89PNG\x00\x01")
	require.Equal(t, "--- a/logo.png\n+++ b/logo.png\n\\ binary content is not shown: 5 B before, 6 B after\n", view.Diff)
	require.Zero(t, view.Added+view.Removed)
}

// What Hunks says is all of the change, byte for byte, however long it is.
func TestHunksAreTheWholeChange(t *testing.T) {
	before := strings.Repeat("line\r\n", 50_000) + "caf\xe9"
	after := strings.ReplaceAll(before, "line", "row")
	hunks, added, removed := Hunks(before, after)
	require.Equal(t, after, applied(t, before, "---\n+++\n"+hunks))
	require.Equal(t, []int{50_000, 50_000}, []int{added, removed})
	none, _, _ := Hunks(before, before)
	require.Empty(t, none)
}
