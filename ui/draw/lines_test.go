package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHighlightMarksWholeCharacters(t *testing.T) {
	require.Equal(t, Styled("[a\x1b[md[é\x1b[mf"), Highlight("adéf", []int{0, 2}, Paint{}, Paint{"["}))
}
