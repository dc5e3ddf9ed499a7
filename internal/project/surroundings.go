package project

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/internal/regular"
	"pawl/tools/git"
)

// Surroundings is what a model is told about a folder, but for its instructions. Git's files are
// read and git is never run: a checkout's own settings can make git run programs.
func Surroundings(folder string) agent.Surroundings {
	s := agent.Surroundings{
		Today: time.Now(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Folder: folder,
	}
	if branch := GitBranch(folder); branch != "" {
		s.Git = "a checkout, on " + branch
	}
	return s
}

// GitBranch describes the branch, or the short commit, that a folder's checkout is on; empty if
// there is none. The nearest .git decides, as for git.
func GitBranch(folder string) string {
	top := git.Top(folder)
	if top == "" {
		return ""
	}
	return headName(readSome(gitFolder(top), "HEAD", 1024))
}

// gitFolder is the folder that holds a checkout's HEAD: .git or, in a worktree or a submodule,
// the target of the .git file, which may be anywhere.
func gitFolder(dir string) string {
	pointer := strings.TrimSpace(readSome(dir, ".git", 4096))
	target, ok := strings.CutPrefix(pointer, "gitdir: ")
	switch {
	case !ok:
		return filepath.Join(dir, ".git")
	case filepath.IsAbs(target):
		return target
	}
	return filepath.Join(dir, target)
}

// commitID matches a HEAD with no branch checked out.
var commitID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`) })

// headName describes what a HEAD file points to; empty if git would not have written it: the
// file may be anybody's, and its text goes into a prompt.
func headName(head string) string {
	head = strings.TrimSuffix(head, "\n")
	if branch, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok && branch != "" && !strings.ContainsFunc(branch, unfitForBranch) {
		return "branch " + branch
	}
	if commitID().MatchString(head) {
		return "commit " + head[:12]
	}
	return ""
}

func unfitForBranch(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

// readWhole reads a regular file of a folder; empty if there is none. The error says in a few
// words why an existing file cannot be used. It never blocks on a file that is not regular.
func readWhole(folder, name string, limit int64) (string, error) {
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return "", nil //nolint:nilerr // whoever opens the folder reports its error
	}
	defer root.Close()
	file, err := regular.OpenIn(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return "", errors.New("it leads outside the folder through a symbolic link")
	case err != nil:
		return "", errors.New("it cannot be read: " + base.Reason(err))
	}
	defer file.Close()
	text, err := regular.All(file, limit)
	if err != nil {
		return "", errors.New("it cannot be read: " + base.Reason(err))
	}
	return string(text), nil
}

// readSome reads the beginning of a regular file of a folder; empty if there is none or it leads
// out of the folder. It never blocks on a file that is not regular.
func readSome(folder, name string, limit int64) string {
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return ""
	}
	defer root.Close()
	file, err := regular.OpenIn(root, name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(text), "�")
}
