package words

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

func TestWhatWasMeantIsFewestEditsAway(t *testing.T) {
	names := []string{"show", "sessions", "export", "rm", "PreToolUse"}
	require.Equal(t, "sessions", Nearest("sesions", names))
	require.Equal(t, "rm", Nearest("rn", names))
	require.Equal(t, "show", Nearest("Shwo", names), "whatever the case")
	require.Equal(t, "PreToolUse", Nearest("PreTool", names), "one alone begins so")
	require.Equal(t, "aax", Nearest("abx", []string{"bbx", "aax"}), "of equals the first by the alphabet")
	require.Equal(t, []string{"show", "sessions", "export", "rm", "PreToolUse"}, names, "the list stays as it is")
}

func TestWhatIsNotNearIsNotGuessed(t *testing.T) {
	names := []string{"doctor", "show", "rm", "demo", "sessions", "sets"}
	for _, typed := range []string{"nothing", "ls", "x", "", "info", "login", "se"} {
		require.Empty(t, Nearest(typed, names), "%q", typed)
		require.Empty(t, DidYouMean(typed, names))
	}
	require.Equal(t, `; did you mean "doctor"?`, DidYouMean("docter", names))
}

// A file from elsewhere may hold a name of a megabyte: it is held against no word letter by letter.
func TestCostOfAWordOfAnotherLengthIsNoTableOfEdits(t *testing.T) {
	long := strings.Repeat("sessions.", 1<<17)
	require.Empty(t, Nearest(long, []string{"sessions"}))
	counttest.AtMost(t, "bytes for a word of another length", 1000, counttest.Bytes(func() { Nearest("sessions", []string{long}) }))
}
