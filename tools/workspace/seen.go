package workspace

import (
	"crypto/sha256"
	"fmt"

	"pawl/internal/words"
)

// digest stands for the whole content of a file.
type digest [sha256.Size]byte

// lastSeen is what a file held when it was last read or written here.
type lastSeen struct {
	sum digest
	own bool // it was written
}

// MarkSeen remembers that the model has seen all of a file, whose content has that
// sum.
func (w *Workspace) MarkSeen(path string, sum [sha256.Size]byte) {
	w.remember(path, lastSeen{sum: sum})
}

// Seen says whether the model has seen a file, whatever that holds now.
func (w *Workspace) Seen(path string) bool {
	_, ok := w.known(path)
	return ok
}

// remember notes what a file holds now, as far as the model knows.
func (w *Workspace) remember(path string, now lastSeen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[path] = now
}

// known gives what the model has last seen of a file, if it has.
func (w *Workspace) known(path string) (lastSeen, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, ok := w.seen[path]
	return last, ok
}

// CheckFresh refuses a file that has changed since the model last saw it; one that it
// has not seen passes.
func (w *Workspace) CheckFresh(path string, now Snapshot) error {
	if last, ok := w.known(path); ok && last.sum != now.sum() {
		return fmt.Errorf("%s has changed since you read it, so nothing was written: read it again, then repeat the change on what it holds now", words.Path(path))
	}
	return nil
}

// Outdate has the model read these files again before it changes them, whether it has seen them or
// not: they were changed, or what it knows of them was taken back.
func (w *Workspace) Outdate(paths ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range paths {
		w.seen[path] = lastSeen{} // no file has this sum
	}
}

// Forget forgets that the model has seen any file: its conversation was taken back, and what it
// read after that with it.
func (w *Workspace) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.seen)
}
