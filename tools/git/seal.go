package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Seal is the environment in which git add and git commit, given by somebody who is not
// trusted, reach nothing but the branch of one worktree: git takes the worktree that is
// named there for its own, wherever it finds others, and neither hooks, filters, editors
// nor signing programs are started. common is the git folder that the worktree belongs
// to. The error says why git would reach something else.
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
		return nil, errors.New("its index may name other repositories, into which git looks")
	}
	if err := withoutNested(path); err != nil {
		return nil, err
	}
	settings, err := checkout.quiet()
	if err != nil {
		return nil, err
	}
	settings = append(settings,
		"commit.gpgSign=false", "gpg.program=false", "gc.auto=0", "maintenance.auto=false",
		"diff.ignoreSubmodules=all", "status.submoduleSummary=false",
	)
	return append(alone(), "GIT_DIR="+own, "GIT_WORK_TREE="+path, "GIT_INDEX_FILE="+filepath.Join(own, "index"),
		"GIT_EDITOR=false", "GIT_CONFIG_PARAMETERS="+parameters(settings)), nil
}

// Reading is the environment in which git, given by somebody who is not trusted to read,
// checks no signature, fetches nothing and shows no submodule from the inside, whatever
// the user's own settings say.
func Reading() []string {
	return append(alone(), "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_PARAMETERS="+parameters([]string{
		"diff.submodule=short", "log.showSignature=false", "status.submoduleSummary=false", "submodule.recurse=false",
	}))
}

// ownFolder is what git keeps of a worktree, by both files that say so.
func ownFolder(path, common string) (string, error) {
	link := filepath.Join(path, ".git")
	own := pointed(link)
	back, err := read(filepath.Join(own, "gitdir"))
	if err != nil || !same(resolve(own, strings.TrimSpace(back)), link) {
		return "", errors.New("its file .git is not the one that git made")
	}
	to, err := read(filepath.Join(own, "commondir"))
	if err != nil || !same(resolve(own, strings.TrimSpace(to)), common) {
		return "", errors.New("it belongs to another checkout")
	}
	return own, nil
}

// same says whether two paths lead to one place.
func same(a, b string) bool {
	one, err := filepath.EvalSymlinks(a)
	other, err2 := filepath.EvalSymlinks(b)
	return err == nil && err2 == nil && one == other
}

// parameters writes settings as git's option -c hands them to the programs that it
// starts. Unlike GIT_CONFIG_COUNT git of any version reads it.
func parameters(settings []string) string {
	var words []string
	for _, one := range settings {
		words = append(words, "'"+strings.ReplaceAll(one, "'", `'\''`)+"'")
	}
	return strings.Join(words, " ")
}

// Common is the git folder of all worktrees of a checkout, as its files say.
func (c Checkout) Common() string {
	own := pointed(filepath.Join(c.Top, ".git"))
	if to, err := read(filepath.Join(own, "commondir")); err == nil {
		return resolve(own, strings.TrimSpace(to))
	}
	return own
}
