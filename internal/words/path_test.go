package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPathTakesOneLine(t *testing.T) {
	for path, want := range map[string]string{
		"a/b c.txt": "a/b c.txt",
		"a\nb":      `"a\nb"`,
		"a\xffb":    "a\uFFFDb",
	} {
		require.Equal(t, want, Path(path))
	}
}
