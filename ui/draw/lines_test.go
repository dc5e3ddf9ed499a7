package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHighlightMarksWholeCharacters(t *testing.T) {
	require.Equal(t, Styled("\x1b[1ma\x1b[md\x1b[1mé\x1b[mf"), Highlight("adéf", []int{0, 2}, Paint{}, NewTheme(Tint{}).Strong))
}
