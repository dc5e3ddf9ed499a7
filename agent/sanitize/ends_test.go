package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestALongErrorKeepsWhatHappenedAndWhatToDo(t *testing.T) {
	require.Equal(t, "short", Ends("short"))
	long := Ends("cannot read " + strings.Repeat("ü.", 20_000) + ": mend it")
	require.Less(t, len(long), 1100)
	require.True(t, utf8.ValidString(long))
	require.True(t, strings.HasPrefix(long, "cannot read ü"))
	require.True(t, strings.HasSuffix(long, ": mend it"))
}
