package git

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/regular"
)

// ValidID reports whether a text can be the id of an object: of SHA-1 or SHA-256, in hexadecimal.
func ValidID(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

// Pack writes to a file what commits lead to, without what others lead to, which whoever takes it must
// have. A commit of either may be given more than once.
func (r Repository) Pack(ctx context.Context, to *os.File, commits, without []string) error {
	args := packArgs()
	if r.partial() { // what was never fetched cannot be sent, and is missed only by who goes back in history
		args = append(args, "--missing=allow-any")
	}
	in, err := wanted(commits, without)
	if err != nil {
		return err
	}
	defer in.Close()
	at := scripted{folder: r.Checkout.Top, in: in, out: to, long: true}
	if _, err := r.script(ctx, at, `exec git "$@"`, args...); err != nil {
		return fmt.Errorf("pack the commits of %s: %w", r.Checkout.Top, err)
	}
	return nil
}

// packArgs make a pack that leaves out, of the commits that the other side has, all that is in their
// trees too, whether they are ancestors or not: for git, "shallow" says that.
func packArgs() []string {
	return []string{"pack-objects", "-q", "--revs", "--thin", "--stdout", "--delta-base-offset", "--shallow"}
}

// wanted is a file that lists commits for git. The caller closes it.
func wanted(commits, without []string) (*os.File, error) {
	return listFile(strings.Join(commits, "\n") + "\n" + strings.Join(prefixed("^", without), "\n") + "\n")
}

// listFile is a file without a name that holds a text, at its start. The caller closes it.
func listFile(text string) (*os.File, error) {
	file, err := os.CreateTemp("", "pawl-list-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // it lives as long as it is open
	if _, err = file.WriteString(text); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func prefixed(prefix string, names []string) []string {
	all := slices.Clone(names)
	for i := range all {
		all[i] = prefix + all[i]
	}
	return all
}

// partial reports whether objects of the checkout may never have been fetched.
func (r Repository) partial() bool {
	promised, _ := filepath.Glob(filepath.Join(r.Checkout.Common(), "objects", "pack", "*.promisor"))
	return len(promised) > 0
}

// takeScript takes a pack in. $1 is how, $2 a commit that must be there afterwards, or nothing; the others
// must be there before. It says how git calls the pack.
const takeScript = `
how=$1 holds=$2; shift 2
for one; do git cat-file -e "$one^{commit}" || exit; done
case $how in
loose) git unpack-objects -q ;;
*) git index-pack --stdin --fix-thin ;;
esac || exit
[ -z "$holds" ] || git cat-file -e "$holds^{commit}"`

// smallPack is how many objects of a pack are kept each by itself, as git does it, so that there are
// not ever more packs.
const smallPack = 100

// Take takes a pack into the repository, from where a file is at. needs are commits that it builds on.
// Nothing is taken if one of them is missing, or the pack is damaged: ErrLacks says the first.
func (r Repository) Take(ctx context.Context, pack *os.File, needs []string) error {
	how := "pack"
	if n, err := objectsOf(pack); err != nil {
		return err
	} else if n < smallPack {
		how = "loose"
	}
	_, err := r.script(ctx, scripted{folder: r.Checkout.Top, in: pack, long: true}, takeScript, append([]string{how, ""}, needs...)...)
	return takeError(err)
}

// ErrLacks says that what a pack builds on is not there.
var ErrLacks = errors.New("what it builds on is not there")

func takeError(err error) error {
	if failed := (*Failed)(nil); errors.As(err, &failed) && (strings.Contains(failed.Message, "Not a valid object name") || strings.Contains(failed.Message, "could not get object info")) {
		return fmt.Errorf("%w: %w", ErrLacks, err)
	}
	return err
}

// objectsOf reads how many objects are in the pack at which a file is, and leaves the file there.
func objectsOf(pack *os.File) (uint32, error) {
	at, err := pack.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	var head [12]byte
	if _, err := pack.ReadAt(head[:], at); err != nil || string(head[:4]) != "PACK" {
		return 0, errors.New("it holds no pack of git's")
	}
	return binary.BigEndian.Uint32(head[8:]), nil
}

// Whole returns an error if something is missing that commits lead to; known are commits of which
// all is there. It protects the repository from branches that cannot be read.
func (r Repository) Whole(ctx context.Context, commits, known []string) error {
	in, err := wanted(commits, known)
	if err != nil {
		return err
	}
	defer in.Close()
	args := []string{"rev-list", "--objects", "--quiet", "--stdin"}
	if r.partial() {
		args = append(args, "--missing=allow-any")
	}
	if _, err := r.runWith(ctx, in, r.Checkout.Top, args...); err != nil {
		return fmt.Errorf("it leads to what is not there: %w", err)
	}
	return nil
}

// Origin is the oldest commit that a commit goes back to by first parents: all clones have it in common.
func (r Repository) Origin(ctx context.Context, commit string) (string, error) {
	text, err := r.run(ctx, r.Checkout.Top, "rev-list", "--first-parent", "--max-parents=0", commit)
	if err != nil {
		return "", fmt.Errorf("find the oldest commit of %s: %w", r.Checkout.Top, err)
	}
	return strings.TrimSpace(text), nil
}

// Boundary are the commits from which on a commit goes beyond others, the newest first; empty: it has
// nothing in common with them. What is not in the repository does not count.
func (r Repository) Boundary(ctx context.Context, commit string, others []string) ([]string, error) {
	in, err := wanted([]string{commit}, others)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := r.runWith(ctx, in, r.Checkout.Top, "rev-list", "--boundary", "--ignore-missing", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("look for what is sent already of %s: %w", r.Checkout.Top, err)
	}
	return boundaries(string(text)), nil
}

// Published are the commits of a commit's history that some remote has, the newest first, and from
// which on it goes beyond all of them; empty: there is none.
func (r Repository) Published(ctx context.Context, commit string) ([]string, error) {
	text, err := r.run(ctx, r.Checkout.Top, "rev-list", "--boundary", commit, "--not", "--remotes")
	if err != nil {
		return nil, fmt.Errorf("look for what is published of %s: %w", r.Checkout.Top, err)
	}
	return boundaries(text), nil
}

func boundaries(text string) (found []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if id, is := strings.CutPrefix(line, "-"); is {
			found = append(found, id)
		}
	}
	return found
}

// Contains reports whether a commit has another one in its history; false also where one of them is
// not in the repository.
func (r Repository) Contains(ctx context.Context, commit, other string) (bool, error) {
	_, err := r.run(ctx, r.Checkout.Top, "merge-base", "--is-ancestor", other, commit)
	if _, is := errors.AsType[*Failed](err); is {
		return false, nil
	}
	return err == nil, err
}

// mostShallow bounds what is read of git's list of them, in bytes.
const mostShallow = 1 << 20

// Shallow are the commits whose parents a shallow clone leaves out.
func (c Checkout) Shallow() ([]string, error) {
	text, err := regular.Read(filepath.Join(c.Common(), "shallow"), mostShallow)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// mostExclude bounds what is read of a checkout's own list of ignored files, in bytes.
const mostExclude = 64 << 10

// Exclude is what the checkout ignores beside what its files say; empty where it cannot be read.
func (c Checkout) Exclude() string {
	text, _ := regular.Read(filepath.Join(c.Common(), "info", "exclude"), mostExclude)
	return string(text)
}
