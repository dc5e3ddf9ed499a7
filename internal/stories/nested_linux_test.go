package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// git status looks into a repository that the index names, and obeys its settings, which
// nobody has agreed to: it is asked about there, as is a folder with a HEAD of its own
// beside a .git that git passes over.
func TestGitStatusDoesNotRunANestedRepositorysProgramUnasked(t *testing.T) {
	t.Parallel()
	s, _ := caged(t, func(string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			if h.Answered("shell") {
				return modeltest.Say("Seen.")
			}
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "git status --short"}), modeltest.Use("shell", modeltest.Object{"command": "git diff"}), modeltest.Use("shell", modeltest.Object{"command": "ls"}))
		}
	})
	git := func(folder string, args ...string) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", folder, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	sub, mark := filepath.Join(s.Dir, "nested"), filepath.Join(s.Dir, "mark")
	require.NoError(t, os.Mkdir(sub, 0o755))
	git(sub, "init", "-q", ".")
	require.NoError(t, os.WriteFile(filepath.Join(sub, "a.txt"), []byte("one\n"), 0o600))
	git(sub, "add", ".")
	git(sub, "commit", "-qm", "first")
	git(sub, "config", "filter.evil.clean", "touch "+mark+"; cat")
	require.NoError(t, os.WriteFile(filepath.Join(sub, ".gitattributes"), []byte("* filter=evil\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(sub, "a.txt"), []byte("ONE\n"), 0o600))

	s.Prompted(t, "-p", "look")
	results := s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")
	require.Contains(t, results[0], "nested/", "not in the index: git does not look into it, and nobody is asked")
	require.NoFileExists(t, mark)

	git(s.Dir, "add", "nested")
	before := len(s.Server.All(modeltest.ParentTold("shell")))
	s.Prompted(t, "-p", "look")
	results = s.Server.All(modeltest.ParentTold("shell"))[before].ResultsOf("shell")
	require.Contains(t, results[0], "enied")
	require.Contains(t, results[1], "enied")
	require.Contains(t, results[2], "nested")
	require.NoFileExists(t, mark)
	git(s.Dir, "status")
	require.FileExists(t, mark, "git itself starts it")
}
