package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// State is what git says of a checkout, or of a worktree, at one moment.
type State struct {
	Head    string   // the commit that is checked out; empty: there is none yet
	Branch  string   // the branch that is checked out; empty: none is
	Changed []string // the paths of what is not committed, with slashes
	// Lines say of each of them in which way: with the same lines and the same files, the state is the
	// same.
	Lines string
}

// State asks git once: it is all that has to be known of a checkout in which nothing is changed.
func (r Repository) State(ctx context.Context, path string) (State, error) {
	at, err := r.placeOf(path)
	if err != nil {
		return State{}, err
	}
	text, err := r.run(ctx, path, at.args("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames", "--no-ahead-behind")...)
	if err != nil {
		return State{}, fmt.Errorf("look at the checkout %s: %w", path, err)
	}
	s := State{}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		if head, is := strings.CutPrefix(line, "# branch.oid "); is {
			s.Head = strings.TrimPrefix(head, "(initial)")
		} else if branch, is := strings.CutPrefix(line, "# branch.head "); is {
			s.Branch = strings.TrimPrefix(branch, "(detached)")
		} else if name := changedIn(line); name != "" {
			s.Changed = append(s.Changed, name)
			s.Lines += line + "\x00"
		}
	}
	return s, nil
}

// changedIn is the path of a line of git's status, version 2; empty: it is about something else.
func changedIn(line string) string {
	kind, _, _ := strings.Cut(line, " ")
	fields := map[string]int{"1": 9, "u": 11, "?": 2}[kind]
	parts := strings.SplitN(line, " ", fields)
	if fields == 0 || len(parts) < fields {
		return ""
	}
	return parts[fields-1]
}

// placeOf finds the checkout or one of its worktrees, without git.
func (r Repository) placeOf(path string) (place, error) {
	if path == r.Checkout.Top || samePlace(path, r.Checkout.Top) {
		return place{gitFolder(filepath.Join(r.Checkout.Top, ".git")), path}, nil
	}
	if admin := adminBelow(r.Checkout.Common(), path); admin != "" {
		return place{admin, path}, nil
	}
	return place{}, fmt.Errorf("look at the worktree %s: git does not know it", path)
}

// Listed is what git's index says that a state does not.
type Listed struct {
	Unchanged    string   // a file that git is told to treat as unchanged, whatever is in it; empty: none
	Repositories []string // the paths of submodules
	Unmerged     []string // files in the middle of a merge, some more than once
}

// Listed reads the index of a checkout or worktree.
func (r Repository) Listed(ctx context.Context, path string) (l Listed, err error) {
	at, err := r.placeOf(path)
	if err != nil {
		return l, err
	}
	listed, err := r.run(ctx, path, at.args("ls-files", "--stage", "-v", "-z")...)
	if err != nil {
		return l, fmt.Errorf("look at the checkout %s: %w", path, err)
	}
	return listedIn(listed), nil
}

// listedIn reads what git's ls-files says with --stage -v -z.
func listedIn(text string) (l Listed) {
	for line := range strings.SplitSeq(text, "\x00") {
		entry, name, found := strings.Cut(line, "\t")
		switch {
		case !found:
		case 'a' <= entry[0] && entry[0] <= 'z': // the mark of ls-files -v
			l.Unchanged = name
		case strings.HasPrefix(entry[1:], " 160000 "):
			l.Repositories = append(l.Repositories, name)
		case !strings.HasSuffix(entry, " 0"):
			l.Unmerged = append(l.Unmerged, name)
		}
	}
	return l
}

// IndexStampOf says in which state the index of a checkout or worktree is, without reading it.
func (r Repository) IndexStampOf(path string) string {
	at, err := r.placeOf(path)
	if err != nil {
		return ""
	}
	return stampOf(filepath.Join(at.admin, "index"))
}

// gatherScript makes a commit of all files, if they are not just those of the commit $1. The other
// arguments say what is left out.
const gatherScript = `
head=$1; shift
[ "$(git config --bool core.sparseCheckout)" = true ] && sparse=--sparse || sparse=
git add --all $sparse -- :/ "$@" && tree=$(git write-tree) && was=$(git rev-parse --verify "$head^{tree}") || exit
[ "$tree" = "$was" ] || git commit-tree "$tree" -p "$head" -m "What was not committed"`

// Gather is a commit, on no branch, of all that a checkout or worktree holds, staged or not, but for
// ignored files; empty if that is just what its commit head has. What is the same gives the same
// commit. Its index stays as it is; below is a folder for another one, which no command of a model
// can reach. Git does not look into submodules.
func (r Repository) Gather(ctx context.Context, path, head string, l Listed, below string) (commit string, err error) {
	wrong := func(err error) (string, error) {
		return "", fmt.Errorf("read what is not committed in %s: %w", path, err)
	}
	switch {
	case l.Unchanged != "":
		return wrong(fmt.Errorf("git is told to treat %s as unchanged, whatever is in it", l.Unchanged))
	case len(l.Unmerged) > 0:
		return "", fmt.Errorf("%s is in the middle of a merge, and a worktree would begin with its marks: end the merge first, or start the subagent without isolation", l.Unmerged[0])
	}
	at, err := r.placeOf(path)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(below, scratchName)
	if err != nil {
		return wrong(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // RemoveScratch finds what is left
	index := filepath.Join(folder, "index")
	if err := CopyIndex(filepath.Join(at.admin, "index"), index); err != nil {
		return wrong(err)
	}
	environ := append(aside(), "GIT_DIR="+at.admin, "GIT_WORK_TREE="+at.folder, "GIT_INDEX_FILE="+index)
	text, err := r.script(ctx, scripted{folder: path, environ: environ}, gatherScript, append([]string{head}, excluded(l.Repositories)...)...)
	if err != nil {
		return wrong(err)
	}
	return strings.TrimSpace(text), nil
}

// excluded are arguments for git that leave paths out.
func excluded(paths []string) (args []string) {
	for _, name := range paths {
		args = append(args, ":(top,exclude,literal)"+name)
	}
	return args
}

// GatherFolder is a commit, with no parent and on no branch, of all files in a folder that is not a
// checkout, as their bytes are. below is a folder as for Gather.
func (r Repository) GatherFolder(ctx context.Context, folder, below string) (commit string, err error) {
	at, err := r.placeOf(r.Checkout.Top)
	if err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(below, scratchName)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // as above
	environ := append(aside(), "GIT_DIR="+at.admin, "GIT_WORK_TREE="+folder, "GIT_INDEX_FILE="+filepath.Join(scratch, "index"))
	text, err := r.script(ctx, scripted{folder: folder, environ: environ}, `
git -c core.autocrlf=false -c core.attributesFile=/dev/null add --all --force -- . && tree=$(git write-tree) &&
git commit-tree "$tree" -m "Ignored files"`)
	if err != nil {
		return "", fmt.Errorf("keep the files of %s: %w", IncludeFile, err)
	}
	return strings.TrimSpace(text), nil
}
