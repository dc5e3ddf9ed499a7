package checkout

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pawl/internal/regular"
	"pawl/internal/system"
	"pawl/tools/git"
)

func randomText() string { return strings.ToLower(rand.Text()[:8]) }

// kept is the folder of the worktrees of a repository that wait for their next run. What is trusted of
// them is only git's index from before the run: every file whose times differ from that is written
// again, and every other one is deleted.
func (c *Cache) kept(repository string) string { return filepath.Join(c.of(repository), "kept") }

// keptIn are their names.
func keptIn(folder string) (names []string) {
	entries, _ := os.ReadDir(folder) // there is none
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// takeKept moves one of them to another place; false: there is none. One with the same commit comes first.
func (c *Cache) takeKept(ref Ref, into string) bool {
	folder := c.kept(ref.Repository)
	names := keptIn(folder)
	slices.SortStableFunc(names, func(a, b string) int { return fitness(b, ref) - fitness(a, ref) })
	for _, name := range names {
		if os.Rename(filepath.Join(folder, name), into) == nil { // else another has taken it
			return true
		}
	}
	return false
}

func fitness(name string, ref Ref) int {
	if strings.HasPrefix(name, ref.files()+"-") {
		return 1
	}
	return 0
}

// How long a worktree is kept, and a repository.
const (
	keptFor  = 24 * time.Hour
	knownFor = 30 * 24 * time.Hour
)

// Sweep deletes what has not been used for long, and what processes that died have left. Call it when
// a worker starts.
func (c *Cache) Sweep() {
	entries, _ := os.ReadDir(c.folder) // there is none
	for _, entry := range entries {
		if git.ValidID(entry.Name()) {
			c.sweep(entry.Name())
		}
	}
	c.sweepOld(filepath.Join(c.folder, "tmp"), keptFor)
}

func (c *Cache) sweep(repository string) {
	lock, err := regular.OpenWith(os.OpenFile, filepath.Join(c.of(repository), "lock"), os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer lock.Close()
	if system.LockFile(lock, system.LockNow) != nil {
		return
	}
	c.sweepOld(c.kept(repository), keptFor)
	info, err := lock.Stat()
	old := err == nil && time.Since(info.ModTime()) > knownFor
	all := c.generations(repository)
	for i, n := range all {
		if folder := c.generation(repository, n); old || i < len(all)-1 || exists(filepath.Join(folder, "spoilt")) {
			c.dropUnused(folder)
		}
	}
}

// sweepOld deletes what was put into a folder long ago.
func (c *Cache) sweepOld(folder string, age time.Duration) {
	entries, _ := os.ReadDir(folder) // there is none
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > age {
			removeAll(filepath.Join(folder, entry.Name()))
		}
	}
}
