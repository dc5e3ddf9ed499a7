package instructions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRead is what each run of a session reads before its first request: six levels, each with a
// file that includes another.
func BenchmarkRead(b *testing.B) {
	top := b.TempDir()
	require.NoError(b, os.Mkdir(filepath.Join(top, ".git"), 0o700))
	dir := top
	for range 6 {
		require.NoError(b, os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("see @style.md\n"+strings.Repeat("a line of text\n", 300)), 0o600))
		require.NoError(b, os.WriteFile(filepath.Join(dir, "style.md"), []byte(strings.Repeat("a line of style\n", 100)), 0o600))
		dir = filepath.Join(dir, "sub")
		require.NoError(b, os.Mkdir(dir, 0o700))
	}
	place := Place{Folder: dir, Home: b.TempDir()}
	for b.Loop() {
		place.Read()
	}
}
