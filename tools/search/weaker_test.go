package search

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWeakerPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		`abc`:           `\x61\x62\x63`,
		`^a$`:           `(?:)\x61(?:)`,
		`(?i)k`:         `(?:[\x4b\x6b]|[\x80-\xff]{1,4})`,
		`[a-c]\d+`:      `[\x61-\x63](?:[\x30-\x39])+`,
		`[^a]`:          `(?:[\x00-\x09\x0b-\x60\x62-\x7f]|[\x80-\xff]{1,4})`,
		`é`:             `[\x80-\xff]{1,4}`,
		`(a|bc)x{2,5}`:  `(?:\x61|\x62\x63)(?:\x78){2,5}`,
		`\ba\w*b{2,}\b`: `(?:)\x61(?:[\x30-\x39\x41-\x5a\x5f\x61-\x7a])*(?:\x62){2,}(?:)`,
	} {
		got, ok := weaker(pattern)
		require.True(t, ok, pattern)
		require.Equal(t, want, got, pattern)
	}
	for _, pattern := range []string{`x*`, `^$`, `(a|)`, `\n`, `a\nb`, `[^\x00-\x{10FFFF}]`, `\b`, `(`} {
		_, ok := weaker(pattern)
		require.False(t, ok, pattern)
	}
}
