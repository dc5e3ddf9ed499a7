package workspace

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesAreNearestFirstWithoutWhatIsIgnored(t *testing.T) {
	w := opened(t, "-- .gitignore --\nbuild/\n*.log\n-- z.go --\n-- a/b/deep.go --\n-- a/x.go --\n-- a/.gitignore --\nlocal\n-- a/local --\n-- build/out --\n-- x.log --\n-- .git/config --\n-- a b.md --\n")
	write(t, w.Folder(), "new\nline", "x")
	require.NoError(t, os.Symlink("z.go", w.Folder()+"/link"))
	want := []string{".gitignore", "a/", "a b.md", "link", "z.go", "a/.gitignore", "a/b/", "a/x.go", "a/b/deep.go"}
	require.Equal(t, want, w.Names(t.Context(), 100))
	require.Equal(t, want[:3], w.Names(t.Context(), 3))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, w.Names(ctx, 100))
}
