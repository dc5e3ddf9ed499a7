package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pawl/internal/regular"
)

// Changes are what a worktree holds beyond the commit that it started from.
type Changes struct {
	Files          int // changed files, committed or not, except ignored ones
	Added, Removed int // lines in these files; binary files count none
	Commits        int
	Dirty          bool     // some changes are not committed
	Names          []string // files with uncommitted changes; of a submodule, its folder
	Merged         bool     // every commit is contained in the checkout's HEAD
	Tip            string   // the commit of the branch; empty if there is no branch
	Holds          string   // the tree of all that it holds, where it began with more than a commit
}

// None reports that nothing would be lost with the worktree.
func (c Changes) None() bool { return !c.Dirty && (c.Commits == 0 || c.Merged) }

// Changes examines a worktree. An error means that its content is not known.
func (r Repository) Changes(ctx context.Context, top, path, branch, base string) (Changes, error) {
	var c Changes
	status, err := r.run(ctx, path, allStatus()...)
	if err != nil {
		return c, fmt.Errorf("look at the worktree %s: %w", path, err)
	}
	c.Dirty, c.Names = status != "", namesIn(status)
	lines, err := r.run(ctx, path, Diff("--numstat", "-z", "--no-renames", base)...)
	if err != nil {
		return c, fmt.Errorf("look at the worktree %s: %w", path, err)
	}
	c.count(lines)
	if err := c.countNew(path, status); err != nil {
		return c, err
	}
	if err := r.lookIntoIndex(ctx, &c, path); err != nil {
		return c, err
	}
	return c, r.countCommits(ctx, &c, top, path, branch, base)
}

// ChangesSince is Changes for a worktree that began with more than base: with the commit start, on no
// branch, of what was not committed in the checkout. Empty: it did not.
func (r Repository) ChangesSince(ctx context.Context, top, path, branch, base, start string) (Changes, error) {
	if start == "" {
		return r.Changes(ctx, top, path, branch, base)
	}
	var c Changes
	scratch, err := r.NewScratch(ctx, filepath.Dir(path))
	if err != nil {
		return c, err
	}
	defer scratch.Remove()
	now, err := r.Snapshot(ctx, scratch, path)
	if err != nil {
		return c, err
	}
	lines, err := r.runUnder(ctx, scratch.environ("index"), top, "diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", start, now.Tree)
	if err != nil {
		return c, fmt.Errorf("look at the worktree %s: %w", path, err)
	}
	c.count(lines)
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\x00"), "\x00") {
		if parts := strings.SplitN(line, "\t", 3); len(parts) == 3 {
			c.Names = append(c.Names, parts[2])
		}
	}
	c.Dirty = len(c.Names) > 0
	if err := r.lookIntoIndex(ctx, &c, path); err != nil {
		return c, err
	}
	c.Holds = now.Tree
	return c, r.countCommits(ctx, &c, top, path, branch, base)
}

func namesIn(status string) (names []string) {
	for line := range strings.SplitSeq(status, "\x00") {
		if len(line) > len("XY ") {
			names = append(names, line[len("XY "):])
		}
	}
	return names
}

// allStatus lists each changed file and reads no submodule.
func allStatus() []string {
	return []string{"status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames"}
}

func (c *Changes) count(numstat string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(numstat, "\x00"), "\x00") {
		added, rest, _ := strings.Cut(line, "\t")
		removed, name, _ := strings.Cut(rest, "\t")
		if name == "" {
			continue
		}
		c.Files++
		a, _ := strconv.Atoi(added) // "-" for a binary file
		b, _ := strconv.Atoi(removed)
		c.Added, c.Removed = c.Added+a, c.Removed+b
	}
}

// longestCounted limits new files whose lines are counted, in bytes.
const longestCounted = 10 << 20

// countNew adds the untracked files, which git's counts leave out.
func (c *Changes) countNew(path, status string) error {
	root, err := regular.OpenRoot(path)
	if err != nil {
		return fmt.Errorf("look at the worktree: %w", err)
	}
	defer root.Close()
	for line := range strings.SplitSeq(status, "\x00") {
		if name, found := strings.CutPrefix(line, "?? "); found {
			c.Files++
			c.Added += linesOf(root, name)
		}
	}
	return nil
}

// linesOf counts the lines of a text file; anything else has none.
func linesOf(root *os.Root, name string) int {
	file, err := regular.OpenWith(root.OpenFile, name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return 0
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > longestCounted {
		return 0
	}
	text, err := io.ReadAll(io.LimitReader(file, longestCounted))
	if err != nil || bytes.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		lines++
	}
	return lines
}

// lookIntoIndex finds what git's status leaves out. Each submodule folder that is not empty
// counts as one more changed file: in a new worktree they are empty. Git is not asked about
// them, because it would use their settings, and it does not look into one that is not checked
// out. A file that git is told to treat as unchanged (core.ignoreStat, update-index
// --assume-unchanged) is an error: whether it has changed is not known.
func (r Repository) lookIntoIndex(ctx context.Context, c *Changes, path string) error {
	index, err := r.run(ctx, path, "ls-files", "--stage", "-v", "-z")
	if err != nil {
		return fmt.Errorf("look at the worktree %s: %w", path, err)
	}
	for line := range strings.SplitSeq(index, "\x00") {
		entry, name, found := strings.Cut(line, "\t")
		if !found {
			continue
		}
		if 'a' <= entry[0] && entry[0] <= 'z' { // the mark of ls-files -v
			return fmt.Errorf("look at the worktree %s: git is told to treat %s as unchanged, whatever is in it", path, name)
		}
		if strings.HasPrefix(entry[1:], " 160000 ") {
			if inside, err := os.ReadDir(filepath.Join(path, name)); err == nil && len(inside) > 0 {
				c.Files++
				c.Dirty, c.Names = true, append(c.Names, name)
			}
		}
	}
	return nil
}

// countCommits counts the commits of the branch and of the worktree's HEAD: the model may have
// created another branch there.
func (r Repository) countCommits(ctx context.Context, c *Changes, top, path, branch, base string) error {
	checkedOut, err := r.run(ctx, path, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return fmt.Errorf("look at the worktree %s: %w", path, err)
	}
	tips := []string{strings.TrimSpace(checkedOut)}
	if tip, err := r.run(ctx, path, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err == nil {
		c.Tip = strings.TrimSpace(tip)
		tips = append(tips, c.Tip)
	} else if failed := (*Failed)(nil); !errors.As(err, &failed) {
		return err
	}
	if !slices.ContainsFunc(tips, func(tip string) bool { return tip != base }) {
		return nil
	}
	all, err := r.revisions(ctx, path, append(tips, "^"+base)...)
	if err != nil {
		return err
	}
	c.Commits = all
	head, err := r.run(ctx, top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return fmt.Errorf("look at the checkout %s: %w", top, err)
	}
	left, err := r.revisions(ctx, path, append(tips, "^"+base, "^"+strings.TrimSpace(head))...)
	c.Merged = all > 0 && left == 0
	return err
}

func (r Repository) revisions(ctx context.Context, path string, which ...string) (int, error) {
	text, err := r.run(ctx, path, append([]string{"rev-list", "--count"}, which...)...)
	if err != nil {
		return 0, fmt.Errorf("count the commits of %s: %w", path, err)
	}
	return strconv.Atoi(strings.TrimSpace(text))
}
