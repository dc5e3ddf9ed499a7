package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools/process"
)

// sealed runs a command line in a folder of a worktree as a model's goes ahead there
// without a question.
func sealed(t *testing.T, environ []string, folder, line string) (says string, code int) {
	t.Helper()
	command := (&process.Launcher{}).ShellCommand(line, "")
	command.Folder, command.Environ = folder, environ
	outside := func() []string { return Environ(append(os.Environ(), "HOME="+t.TempDir())) }
	done, err := (&process.Launcher{Environ: outside}).Run(t.Context(), command)
	require.NoError(t, err)
	text, _ := done.Output.Text(10_000)
	return text, done.ExitCode
}

// Whatever the settings, the attributes and the model's own files name as programs: a
// sealed commit starts none of them, and is on the branch of its worktree.
func TestASealedCommitStartsNothingAndReachesItsOwnBranchAlone(t *testing.T) {
	r, f := committed(t)
	program, mark := marking(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	for _, hook := range []string{"pre-commit", "commit-msg", "post-commit", "prepare-commit-msg", "reference-transaction", "post-index-change"} {
		put(t, r.Folder, ".git/hooks/"+hook, "#!/bin/sh\nexec "+program+" hook\n")
		require.NoError(t, os.Chmod(filepath.Join(r.Folder, ".git/hooks", hook), 0o700))
	}
	for key, value := range map[string]string{
		"user.name": "x", "user.email": "x@x", "core.fsmonitor": program, "core.editor": program, "filter.it's.clean": program, "filter.it's.required": "true",
		"commit.gpgSign": "true", "gpg.program": program, "core.hooksPath": filepath.Join(r.Folder, ".git/hooks"), "diff.external": program,
	} {
		plainly(t, r.Folder, "config", key, value)
	}
	put(t, path, ".gitattributes", "* filter=it's\n")
	put(t, path, "made.go", "made\n")
	environ, err := Seal(path, "pawl/tree", Look(r.Folder).Common())
	require.NoError(t, err)
	says, code := sealed(t, environ, path, `git add -A && git commit -am "made it"`)
	require.Zero(t, code, says)
	require.NoFileExists(t, mark)

	// A folder that the model has made look like a repository of its own is none.
	sub := filepath.Join(path, "sub")
	put(t, sub, "HEAD", "ref: refs/heads/main\n")
	put(t, sub, "objects/x", "x")
	put(t, sub, "refs/heads/x", f.Base+"\n")
	put(t, sub, "config", "[core]\n\trepositoryformatversion = 0\n\tworktree = "+sub+"\n\tfsmonitor = "+program+"\n[filter \"evil\"]\n\tclean = "+program+"\n[user]\n\tname = x\n\temail = x@x\n")
	put(t, sub, ".gitattributes", "* filter=evil\n")
	put(t, sub, "second.go", "second\n")
	says, code = sealed(t, environ, sub, `git add second.go && git commit -m second`)
	require.Zero(t, code, says)
	require.NoFileExists(t, mark)
	says, code = sealed(t, environ, sub, `git add -- /etc/passwd`)
	require.NotZero(t, code, says)

	log, err := r.run(t.Context(), r.Folder, "log", "--format=%s", f.Base+"..pawl/tree")
	require.NoError(t, err)
	require.Equal(t, "second\nmade it\n", log)
	head, err := r.run(t.Context(), r.Folder, "rev-parse", "HEAD")
	require.NoError(t, err)
	require.Equal(t, f.Base+"\n", head, "the checkout's own branch stays where it is")
	_, _ = sealed(t, nil, path, `touch more.go && git add -A`)
	require.FileExists(t, mark, "what is not sealed starts them")
}

func TestAWorktreeThatIsNotAsGitMadeItIsNotSealed(t *testing.T) {
	r, f := committed(t)
	common := r.Checkout.Common()
	folder := t.TempDir()
	path, other := filepath.Join(folder, "tree"), filepath.Join(folder, "other")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	require.NoError(t, r.Add(t.Context(), f.Top, other, "pawl/other", f.Base))
	_, err := Seal(path, "pawl/tree", common)
	require.NoError(t, err)

	_, err = Seal(path, "pawl/other", common)
	require.ErrorContains(t, err, "its own branch pawl/other is not checked out")
	plainly(t, path, "checkout", "-q", "--detach")
	_, err = Seal(path, "pawl/tree", common)
	require.ErrorContains(t, err, "its own branch pawl/tree is not checked out")
	plainly(t, path, "checkout", "-q", "pawl/tree")

	elsewhere, _ := committed(t)
	_, err = Seal(path, "pawl/tree", elsewhere.Checkout.Common())
	require.ErrorContains(t, err, "another checkout")
	link, err := os.ReadFile(filepath.Join(other, ".git"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(path, ".git"), link, 0o600))
	_, err = Seal(path, "pawl/tree", common)
	require.ErrorContains(t, err, "its file .git")
	require.NoError(t, os.Remove(filepath.Join(path, ".git")))
	plainly(t, path, "init", "-q", ".")
	_, err = Seal(path, "pawl/tree", common)
	require.ErrorContains(t, err, "its file .git")
}
