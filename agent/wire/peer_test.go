package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessagesAreOneLineWithoutKeys(t *testing.T) {
	require.Equal(t, "a b c", Peer{}.Line(" a\r\n\tb\x1b c "))
	require.Equal(t, "not yours at all", Peer{}.Line("not\nyours\tat  \u200ball"))
	require.Equal(t, "your key [key] and sk-… (sk-…", Peer{Key: "hunter22"}.Line("your key hun\u200bter22 and sk-proj-12 (sk-abc)"))
	require.Equal(t, "the header Authorization: Bearer [masked] and [masked]", Peer{}.Line("the header Authorization: Bearer 0123456789 and AIza"+"SyA0123456789abcdefghijklmnopqrstuv"))
	require.Equal(t, "a task-notification", Peer{Key: "k"}.Line("a task-notification"))
	require.Equal(t, strings.Repeat("ü", longestLine-1)+"…", Peer{}.Line(strings.Repeat("ü", 500)))
}
