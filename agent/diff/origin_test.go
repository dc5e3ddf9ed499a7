package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEachLineIsOfTheVersionThatBroughtIt(t *testing.T) {
	newBy, oldBy := Origins([]string{"a\nb\nc\nd\n", "a\nB\nc\nd\ne", "a\nB\nd\ne\nf\n"})
	require.Equal(t, []int{0, 1, 0, 2, 2}, newBy, "e has a line end now, so it is another line")
	require.Equal(t, []int{0, 1, 2, 0}, oldBy)
	newBy, oldBy = Origins([]string{"", "x\ny\n", ""})
	require.Empty(t, newBy)
	require.Empty(t, oldBy)
	newBy, _ = Origins([]string{"", "x\ny"})
	require.Equal(t, []int{1, 1}, newBy)
}

func TestOriginsHaveOneForEachLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d"})).Draw(t, "lines"), "")
		})
		versions := rapid.SliceOfN(text, 2, 6).Draw(t, "versions")
		newBy, oldBy := Origins(versions)
		require.Len(t, newBy, textLineCount(versions[len(versions)-1]))
		require.Len(t, oldBy, textLineCount(versions[0]))
		for _, by := range append(newBy, oldBy...) {
			require.True(t, by >= 0 && by < len(versions))
		}
	})
}
