package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Seal returns the environment in which untrusted git add and git commit commands affect only
// the branch of one worktree: git uses the worktree named there, whatever others it would find,
// and starts no hooks, filters, editors or signing programs. common is the git folder that the
// worktree belongs to. The error says why git would affect something else.
func Seal(path, branch, common string) ([]string, error) {
	own, err := ownFolder(path, common)
	if err != nil {
		return nil, err
	}
	head, err := read(filepath.Join(own, "HEAD"))
	if err != nil {
		return nil, fmt.Errorf("read which branch is checked out: %w", err)
	}
	if strings.TrimRight(head, "\n") != "ref: refs/heads/"+branch {
		return nil, fmt.Errorf("its own branch %s is not checked out here", branch)
	}
	checkout := Look(path)
	if checkout.Submodules() {
		return nil, errors.New("its index may contain other repositories, which git would enter")
	}
	if err := findNested(path); err != nil {
		return nil, err
	}
	settings, err := checkout.safeSettings()
	if err != nil {
		return nil, err
	}
	settings = append(settings,
		"commit.gpgSign=false", "gpg.program=false", "gc.auto=0", "maintenance.auto=false",
		"diff.ignoreSubmodules=all", "status.submoduleSummary=false",
	)
	return append(noPrompt(), "GIT_DIR="+own, "GIT_WORK_TREE="+path, "GIT_INDEX_FILE="+filepath.Join(own, "index"),
		"GIT_EDITOR=false", "GIT_CONFIG_PARAMETERS="+parameters(settings)), nil
}

// Reading is the environment in which untrusted git commands that read check no signature, reach no
// other machine and do not enter submodules, whatever the user's own settings say.
func Reading() []string {
	return append(noPrompt(), "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_PARAMETERS="+parameters([]string{
		"protocol.allow=never", "diff.submodule=short", "log.showSignature=false", "status.submoduleSummary=false", "submodule.recurse=false", "index.threads=1",
	}))
}

// ownFolder is the git folder of a worktree, if both files that link them agree.
func ownFolder(path, common string) (string, error) {
	link := filepath.Join(path, ".git")
	own := gitFolder(link)
	back, err := read(filepath.Join(own, "gitdir"))
	if err != nil || !samePlace(beside(own, strings.TrimSpace(back)), link) {
		return "", errors.New("its file .git is not the one that git made")
	}
	to, err := read(filepath.Join(own, "commondir"))
	if err != nil || !samePlace(beside(own, strings.TrimRight(to, "\r\n")), common) {
		return "", errors.New("it belongs to another checkout")
	}
	return own, nil
}

func samePlace(a, b string) bool {
	one, err := filepath.EvalSymlinks(a)
	other, err2 := filepath.EvalSymlinks(b)
	return err == nil && err2 == nil && one == other
}

// parameters encodes settings as git's option -c passes them to the programs it starts. All
// versions of git read it, unlike GIT_CONFIG_COUNT.
func parameters(settings []string) string {
	var words []string
	for _, one := range settings {
		words = append(words, "'"+strings.ReplaceAll(one, "'", `'\''`)+"'")
	}
	return strings.Join(words, " ")
}

// Common is the git folder shared by all worktrees of a checkout.
func (c Checkout) Common() string {
	common, _ := commonFolder(gitFolder(filepath.Join(c.Top, ".git"))) // unread, Look has told
	return common
}
