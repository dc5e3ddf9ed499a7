package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFenceIsLongerThanWhatItHolds(t *testing.T) {
	require.Equal(t, "```text\na\n```\n", fence("text", "a\n"))
	require.Equal(t, "`````text\n````\n`````\n", fence("text", "````"))
	require.Equal(t, "``a`b``", codeSpan("a`b"))
	require.Equal(t, "`` `a ``", codeSpan("`a"))
	require.Equal(t, "–", codeSpan(""))
	require.Equal(t, "`a¦b`", cellSpan("a|b"))
}
