package picturetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const drawn = "\x1b[1mbold text\x1b[m and plain\n\x1b[38;2;255;0;0m漢字\x1b[m\x1b[7m x \x1b[m\x1b[2m──────────\x1b[m\n\n\x1b[3;4;9mall\x1b[m \x1b[48;2;0;0;9m \x1b[m \"q\" 1-2 bold \"x\""

func TestTheStylesOfAScreenAreWordsThatCanBeReviewed(t *testing.T) {
	s := Draw(drawn, 30, 5)
	require.Equal(t, "bold text and plain\n漢字 x ──────────\n\nall   \"q\" 1-2 bold \"x\"\n", s.Text())
	require.Equal(t, ` 0:  0-8 bold "bold text"
 1:  0-3 #ff0000 "漢字"  4-6 reverse " x "  7-16 faint "─×10"
 3:  0-2 italic struck underlined "all"  4-4 on:#000009 " "
`, s.Styles())
}

func TestAScreenIsReadBackFromItsTextAndStyles(t *testing.T) {
	s := Draw(drawn, 30, 5)
	back := Read(s.Text(), s.Styles(), 30, 5)
	require.Equal(t, s.Text(), back.Text())
	require.Equal(t, s.Styles(), back.Styles())
	require.Equal(t, s.SVG(Dark), back.SVG(Dark))
}

func TestTheAlbumHoldsWhatHasChanged(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "album")
	same, other := Draw("same", 10, 1), Draw("\x1b[1msame", 10, 1)
	var a Album
	a.Add("unchanged", &same, same, Dark)
	page, err := a.Write(folder)
	require.NoError(t, err)
	require.Empty(t, page)
	require.NoDirExists(t, folder)

	a.Add("bolder", &same, other, Dark)
	a.Add("new", nil, same, Light)
	page, err = a.Write(folder)
	require.NoError(t, err)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.NotContains(t, string(text), "unchanged")
	for _, name := range []string{"001-before.svg", "001-after.svg", "002-after.svg"} {
		require.Contains(t, string(text), name)
		require.FileExists(t, filepath.Join(folder, name))
	}
	require.NoFileExists(t, filepath.Join(folder, "002-before.svg"))
}
