package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pawl/internal/regular"
	"pawl/internal/system"
	"pawl/tools/git"
)

// store is what a worker knows of a repository: a git folder that has objects, and no branches.
//
//	objects/…     packs, one a bundle
//	have/COMMIT   the pack that brought a commit: all that it leads to is here
//	used          locked, shared, by whoever uses it
//	spoilt        it is damaged: nobody begins to use it, and the last one leaves it to be deleted
type store struct {
	cache      *Cache
	repository string
	folder     string
	used       *os.File
}

// open gives the store of a repository that has all that a ref needs. The caller closes it, also after
// an error; it is never nil.
func (c *Cache) open(ctx context.Context, checkouts Objects, ref Ref) (*store, error) {
	s := &store{cache: c, repository: ref.Repository}
	done, err := c.turns.take(ctx, ref.Repository)
	if err != nil {
		return s, err
	}
	defer done()
	unlock, err := lockFile(ctx, filepath.Join(c.of(ref.Repository), "lock"))
	if err != nil {
		return s, fmt.Errorf("lock the cache of the repository: %w", err)
	}
	defer unlock()
	if err := s.use(ref); err != nil {
		return s, err
	}
	for _, name := range ref.Bundles {
		if err := s.get(ctx, checkouts, name); err != nil {
			return s, err
		}
	}
	for _, commit := range ref.wants() {
		if !s.has(commit) {
			return s, fmt.Errorf("none of its bundles holds %s", commit)
		}
	}
	return s, nil
}

// lockWait is how often a lock is tried that another process has: the system tells nobody when it is
// free and waits for nobody who gives up.
const lockWait = 20 * time.Millisecond

// lockFile waits for the lock of a file, which is made, and marks it as used now.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := regular.OpenWith(os.OpenFile, path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(lockWait)
	defer tick.Stop()
	for system.LockFile(file, system.LockNow) != nil {
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), file.Close())
		case <-tick.C:
		}
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	return func() { _ = file.Close() }, nil
}

// generations are the stores of a repository, the oldest first, by their numbers.
func (c *Cache) generations(repository string) (found []int) {
	entries, _ := os.ReadDir(c.of(repository)) // what cannot be read is found when it is made
	for _, entry := range entries {
		if n, err := strconv.Atoi(strings.TrimPrefix(entry.Name(), "g")); err == nil && entry.IsDir() {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return found
}

func (c *Cache) generation(repository string, n int) string {
	return filepath.Join(c.of(repository), "g"+strconv.Itoa(n))
}

// use opens the newest store, and makes one where there is none. The caller has the lock.
func (s *store) use(ref Ref) error {
	all := s.cache.generations(s.repository)
	next := 1
	if len(all) > 0 {
		next = all[len(all)-1]
		if folder := s.cache.generation(s.repository, next); exists(filepath.Join(folder, "spoilt")) || !exists(filepath.Join(folder, "used")) {
			next++
		}
	}
	for _, n := range all {
		if n < next {
			s.cache.dropUnused(s.cache.generation(s.repository, n))
		}
	}
	s.folder = s.cache.generation(s.repository, next)
	used := filepath.Join(s.folder, "used")
	if !exists(used) {
		if err := git.InitApart(s.folder, longID(ref.Head)); err != nil {
			return err
		}
	}
	var err error
	s.used, err = regular.OpenWith(os.OpenFile, used, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = system.LockFile(s.used, system.LockShared)
	}
	if err == nil {
		err = addShallow(s.folder, ref.Shallow)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// dropUnused deletes a store that nobody uses.
func (c *Cache) dropUnused(folder string) {
	file, err := regular.OpenWith(os.OpenFile, filepath.Join(folder, "used"), os.O_RDWR, 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		defer file.Close()
		if system.LockFile(file, system.LockNow) != nil {
			return
		}
	}
	removeAll(folder)
}

// addShallow notes commits whose parents nobody has.
func addShallow(folder string, commits []string) error {
	if len(commits) == 0 {
		return nil
	}
	path := filepath.Join(folder, "shallow")
	known, err := regular.Read(path, 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	all := unique(append(strings.Fields(string(known)), commits...))
	text := strings.Join(all, "\n") + "\n"
	if text == string(known) {
		return nil
	}
	return regular.Replace(path, []byte(text))
}

func (s *store) have(commit string) string { return filepath.Join(s.folder, "have", commit) }

// has reports whether a commit is here, and the pack that brought it is as long as it was.
func (s *store) has(commit string) bool {
	text, err := regular.Read(s.have(commit), 4096)
	if err != nil {
		return false
	}
	name, size, _ := strings.Cut(string(text), " ")
	info, err := os.Stat(filepath.Join(git.PackFolder(s.folder), name))
	return err == nil && strconv.FormatInt(info.Size(), 10) == size
}

// got notes the pack that brought a commit.
func (s *store) got(commit, pack string) error {
	info, err := os.Stat(pack)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.have(commit)), 0o700); err != nil {
		return err
	}
	return regular.Replace(s.have(commit), fmt.Appendf(nil, "%s %d", filepath.Base(pack), info.Size()))
}

// get gets a bundle, if it is not here.
func (s *store) get(ctx context.Context, checkouts Objects, name string) error {
	_, commit, basis, _ := parseName(name) // the ref was checked
	if s.has(commit) {
		return nil
	}
	tmp, err := s.cache.tmp()
	if err != nil {
		return err
	}
	file, err := fetch(ctx, tmp, checkouts, name)
	if err != nil {
		return err
	}
	defer file.Close()
	head, err := readHeader(file)
	if err == nil && (head.holds[headRef] != commit || len(head.holds) != 1 || !slices.Equal(head.needs, needs(basis))) {
		err = errors.New("it holds something else than its name says")
	}
	pack := ""
	if err == nil {
		pack, err = s.cache.git.Take(ctx, s.folder, file, commit, head.needs)
	}
	if err != nil {
		return fmt.Errorf("%s does not apply: %w", name, err)
	}
	return s.got(commit, pack)
}

func needs(basis string) []string {
	if basis == "" {
		return nil
	}
	return []string{basis}
}

// spoil notes that a store is damaged.
func (s *store) spoil() {
	if s.folder != "" {
		_ = os.WriteFile(filepath.Join(s.folder, "spoilt"), nil, 0o600) // else it fails again, and says why
	}
}

func (s *store) close() {
	if s.used != nil {
		_ = s.used.Close() // which gives the lock back
	}
}

// mostPacks is how many packs git looks through without becoming slow.
const mostPacks = 100

// tidy makes one pack of too many. Who reads them meanwhile finds it as git does after any repacking.
func (s *store) tidy() error {
	if packs, err := filepath.Glob(filepath.Join(git.PackFolder(s.folder), "*.pack")); err != nil || len(packs) <= mostPacks {
		return err
	}
	ctx := context.Background() // git's own limit holds
	done, err := s.cache.turns.take(ctx, s.repository)
	if err != nil {
		return err
	}
	defer done()
	unlock, err := lockFile(ctx, filepath.Join(s.cache.of(s.repository), "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return s.repack(ctx)
}

func (s *store) repack(ctx context.Context) error {
	if packs, err := filepath.Glob(filepath.Join(git.PackFolder(s.folder), "*.pack")); err != nil || len(packs) <= mostPacks {
		return err // another has done it
	}
	if err := s.cache.git.Repack(ctx, s.folder); err != nil {
		return err
	}
	packs, err := filepath.Glob(filepath.Join(git.PackFolder(s.folder), "*.pack"))
	if err != nil || len(packs) != 1 {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(s.folder, "have"))
	for _, entry := range entries {
		if git.ValidID(entry.Name()) {
			err = errors.Join(err, s.got(entry.Name(), packs[0]))
		}
	}
	return err
}
