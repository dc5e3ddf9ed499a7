package mask

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// It finds what a search for each word would find, in texts that are made of words, of
// their beginnings and of what stands between.
func TestAFinderFindsWhatSearchingForEachWordFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, words := range [][]string{hintsOf(shapes()), {"="}, {"ab", "b"}} {
		f := newFinder(words)
		require.False(t, f.in(""))
		found := 0
		for range 20_000 {
			var text strings.Builder
			for range random.IntN(4) {
				word := words[random.IntN(len(words))]
				text.WriteString(word[random.IntN(len(word)):])
				text.WriteString(word[:random.IntN(len(word))])
				text.WriteString([]string{"", " ", "e", "=x", "\xff", "é"}[random.IntN(6)])
			}
			require.Equal(t, containsAny(text.String(), words), f.in(text.String()), "%q", text.String())
			if f.in(text.String()) {
				found++
			}
		}
		require.Greater(t, found, 1000)
		for _, word := range words {
			require.True(t, f.in(word) && f.in("a "+word) && f.in(word+"z"), "%q", word)
		}
	}
}
