package draw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const twoHunks = `diff --git a/shop.go b/shop.go
index 1..2 100644
--- a/shop.go
+++ b/shop.go
@@ -8,3 +8,3 @@ func Refund(n int) int {
 	fee := 1
-	return n - fee // and not a word more than fits here
+	return n - 2*fee // and not a word more than fits here
 }
@@ -98,3 +98,2 @@
 a
---- b
 c
--- a/ledger.go
+++ b/ledger.go
@@ -0,0 +1 @@
+new
\ No newline at end of file
`

func drawnDiff(width int, diff string) string {
	c := Canvas{Theme: NewTheme(Tint{Dark: true}), Glyphs: NewGlyphs(false), Width: width}
	var lines []string
	for _, line := range RenderDiff(c, diff) {
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return strings.Join(lines, "\n")
}

func plainDiff(width int, diff string) string {
	return strings.NewReplacer("\x1b[2m", "", "\x1b[1m", "", NewTheme(Tint{}).AddedPart.on(), "[", "\x1b[m", "").Replace(drawnDiff(width, diff))
}

func TestADiffHasItsNumbersAndChangedWordsWithoutColour(t *testing.T) {
	require.Equal(t, `… func Refund(n int) int {
 8      fee := 1
 9 -    return n - fee // and not a word more than fits here
 9 +    return n - [2*fee // and not a word more than fits here
10  }
…
98  a
99 ---- b
99  c
ledger.go
 1 +new
… No newline at end of file`, plainDiff(80, twoHunks))
}

func TestALongLineOfADiffHangsBelowItsText(t *testing.T) {
	require.Equal(t, strings.TrimPrefix(`
… func Refund(n int) int {
 8      fee := 1
 9 -    return n - fee // and not a wor
    d more than fits here
 9 +    return n - [2*fee // and not a w
    ord more than fits here
10  }`, "\n"), strings.Join(strings.Split(plainDiff(39, twoHunks), "\n")[:7], "\n"))
}

func TestWhatIsNoDiffIsShownAsItStands(t *testing.T) {
	for _, text := range []string{"", "+", "@@", "@@ -x +y @@", "@@ -1 @@ z", "just words\nand more", "--- ", "\\"} {
		require.NotPanics(t, func() { drawnDiff(40, text) }, text)
	}
	require.Contains(t, drawnDiff(40, "just words\nand more"), "just words")
}
