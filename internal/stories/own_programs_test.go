package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A PATH that begins in the folder, as that of a virtual environment, decides what a command line
// finds; what Pawl itself starts, mostly outside of the sandbox, comes from elsewhere.
func TestNothingThatPawlStartsOnItsOwnComesFromTheFolder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			return modeltest.Say("Built.")
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		case h.Answered("shell"):
			return modeltest.Do(apart("builder", "build it", false))
		}
		return modeltest.Do(
			modeltest.Use("grep", modeltest.Object{"pattern": "nee[d]le"}),
			modeltest.Use("shell", modeltest.Object{"command": "echo more >> calc.go; command -v git"}),
		)
	})
	s.Dir = gittest.Checkout(t)
	for i := range 400 {
		require.NoError(t, os.WriteFile(filepath.Join(s.Dir, fmt.Sprintf("hay%d.txt", i)), []byte("needle\n"), 0o600))
	}
	bin, mark := filepath.Join(s.Dir, "bin"), filepath.Join(s.Home, "mark")
	require.NoError(t, os.Mkdir(bin, 0o700))
	for _, name := range []string{"git", "rg", "sh", "bash"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho "+name+" >> "+mark+"\n"), 0o700))
	}
	s.With("PATH=" + bin + ":./bin:" + os.Getenv("PATH"))
	_, errs, code := s.Prompted(t, "-p", "--permission-mode", "bypass", "--trust", "have it built")
	require.Equal(t, 0, code, errs)
	require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], bin+"/git", "a line's own PATH is the user's")
	require.Contains(t, s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0], "Built.")
	require.NoFileExists(t, mark)
}
