package apply

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// TestMain is also the process that is killed in the middle of its work: at the n-th step that it
// reaches.
func TestMain(m *testing.M) {
	if at := os.Getenv("PAWL_APPLY_TEST_DIR"); at != "" {
		os.Exit(play(at))
	}
	os.Exit(m.Run())
}

func play(at string) int {
	var left int
	_, _ = fmt.Sscan(os.Getenv("PAWL_APPLY_TEST_STEP"), &left)
	reach = func(string) {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	store := filestore.New(filepath.Join(at, "store"))
	set := someSet(filepath.Join(at, "folder"))
	_, err := Run(context.Background(), filepath.Join(at, "journal"), store, set, func(context.Context) error {
		return os.WriteFile(filepath.Join(at, "recorded"), nil, 0o600)
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// someSet changes a file, its mode, and a link, makes a file in a new folder, and takes the last
// file of a folder away.
func someSet(folder string) Set {
	return Set{Operation: "o1", Folder: folder, Files: []File{
		{"changed", regularFile("old", 0o644), regularFile("new", 0o600)},
		{"script", regularFile("run", 0o644), regularFile("run", 0o755)},
		{"link", linkTo("changed"), linkTo("script")},
		{"made/of/new", lifecycle.FileState{}, regularFile("fresh", 0o644)},
		{"emptied/last", regularFile("last", 0o640), lifecycle.FileState{}},
	}}
}
