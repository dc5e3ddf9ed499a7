package git

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Modes of what stands at a path in a tree.
const (
	ModeNone       = 0
	ModeExecutable = 0o100755
	ModeLink       = 0o120000
	ModeRepository = 0o160000 // a submodule: a commit of another repository
)

// Difference is one path in which two trees differ.
type Difference struct {
	Path    string `json:"path"`           // with slashes, as its bytes are
	From    string `json:"from,omitempty"` // the path before it was renamed; empty: it was not
	OldMode uint32 `json:"old_mode"`
	NewMode uint32 `json:"new_mode"`
	Old     string `json:"old"` // the objects; meaningless where the mode is ModeNone
	New     string `json:"new"`
}

// Differences are the paths in which two trees or commits differ, renamed files found as git finds
// them.
func (r Repository) Differences(ctx context.Context, s *Scratch, from, to string) ([]Difference, error) {
	text, err := r.runUnder(ctx, s.environ("index"), r.Checkout.Top, "diff-tree", "-r", "-z", "--raw", "--full-index", "-M", "--no-ext-diff", "--no-textconv", from, to)
	if err != nil {
		return nil, fmt.Errorf("compare %s with its base: %w", to, err)
	}
	return differencesIn(text)
}

// differencesIn reads what git's diff-tree says with --raw -z.
func differencesIn(text string) (all []Difference, err error) {
	parts := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); {
		head := strings.Fields(strings.TrimPrefix(parts[i], ":"))
		if len(head) != 5 {
			return nil, fmt.Errorf("read which files differ: git says %q", parts[i])
		}
		d := Difference{OldMode: modeOf(head[0]), NewMode: modeOf(head[1]), Old: head[2], New: head[3], Path: parts[i+1]}
		i += 2
		if head[4][0] == 'R' && i < len(parts) {
			d.From, d.Path = d.Path, parts[i]
			i++
		}
		all = append(all, d)
	}
	return all, nil
}

func modeOf(text string) uint32 {
	mode, _ := strconv.ParseUint(text, 8, 32)
	return uint32(mode)
}

// Extract writes files of a tree to a folder, as they would be checked out: with the ends of lines
// that the checkout's attributes and settings give them there.
func (r Repository) Extract(ctx context.Context, s *Scratch, tree string, names []string, folder string) error {
	if len(names) == 0 {
		return nil
	}
	environ := s.environ("index-" + tree)
	if _, err := r.runUnder(ctx, environ, r.Checkout.Top, "read-tree", tree); err != nil {
		return fmt.Errorf("read the files of %s: %w", tree, err)
	}
	list := s.Path("names")
	if err := os.WriteFile(list, []byte(strings.Join(names, "\x00")+"\x00"), 0o600); err != nil {
		return fmt.Errorf("read the files of %s: %w", tree, err)
	}
	_, err := r.runFrom(ctx, list, environ, r.Checkout.Top, "checkout-index", "--force", "--quiet", "--prefix="+folder+"/", "-z", "--stdin")
	if err != nil {
		return fmt.Errorf("read the files of %s: %w", tree, err)
	}
	return nil
}

// Skipped are the paths of the checkout that a sparse checkout leaves out.
func (r Repository) Skipped(ctx context.Context) (map[string]bool, error) {
	text, err := r.run(ctx, r.Checkout.Top, "ls-files", "-t", "-z")
	if err != nil {
		return nil, fmt.Errorf("look at the checkout %s: %w", r.Checkout.Top, err)
	}
	skipped := map[string]bool{}
	for line := range strings.SplitSeq(text, "\x00") {
		if name, is := strings.CutPrefix(line, "S "); is {
			skipped[name] = true
		}
	}
	return skipped, nil
}

// MarkerSize is how long the marks are that MergeFile puts around what conflicts: longer than any
// that a file holds.
const MarkerSize = 61

// MergeFile merges what two files have changed since a third, by their paths, as git does. conflicts
// is their number; text holds them in git's marks, with all three sides, where withBase says so.
func (r Repository) MergeFile(ctx context.Context, ours, base, theirs string, withBase bool) (text []byte, conflicts int, err error) {
	args := []string{"merge-file", "-p", "--quiet", "--marker-size=" + strconv.Itoa(MarkerSize), "-L", "", "-L", "", "-L", ""}
	if withBase {
		args = append(args, "--diff3")
	}
	out, err := r.run(ctx, r.Checkout.Top, append(args, ours, base, theirs)...)
	if failed, is := err.(*Failed); is && failed.Code > 0 && failed.Code < 128 { //nolint:errorlint // run returns it as it is
		return []byte(out), failed.Code, nil
	}
	return []byte(out), 0, err
}
