package folderwatch

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"log/slog"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pawl/tools/git"
)

// Bounds of what is kept because nobody else has it, in bytes.
const (
	maxUnknown = 1 << 20  // of one file
	maxBudget  = 64 << 20 // of all files of a session
)

func sumOf(content []byte) [32]byte { return sha256.Sum256(content) }

// holds says whether a file of known content holds that.
func (f *file) holds(content []byte) bool {
	if f.held == kept {
		return f.sum == sumOf(content)
	}
	id := git.BlobOf(content)
	if int64(len(content)) != f.size {
		return false
	}
	return [20]byte(f.sum[:]) == id
}

// asCheckedOut is a blob as it stands in a file of that size: as it is, or with the line ends of
// Windows. Nil: it is neither.
func asCheckedOut(content []byte, size int64) []byte {
	if int64(len(content)) == size && content != nil {
		return content
	}
	if bytes.ContainsRune(content, '\r') {
		return nil
	}
	if text := bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n")); int64(len(text)) == size && content != nil {
		return text
	}
	return nil
}

var errUnreadable = errors.New("a rule forbids to read it, so it is not kept")

func (w *Watch) readable(path string) error {
	if w.options.Readable == nil || w.options.Readable(path) == nil {
		return nil
	}
	return errUnreadable
}

// learn finds for files of unknown content whether git has it, and keeps it else. Its caller has
// the turn; it stops when another wants it.
func (w *Watch) learn() {
	if !w.fresh.Load() {
		return
	}
	var staged map[string][20]byte
	all := w.unknown()
	if len(all) > 0 { // to read the index of a large checkout takes longer than all else
		staged = w.readIndex()
		all = slices.DeleteFunc(all, func(one unknownFile) bool { return one.file.held != unknown })
	}
	slices.SortFunc(all, func(a, b unknownFile) int { return cmp.Compare(b.file.changed, a.file.changed) })
	top, err := openTop(w.folder)
	if err != nil {
		return
	}
	defer top.close()
	for _, one := range all {
		if w.waits.Load() > 0 || w.isClosed() {
			return
		}
		w.keepUnknown(top, one, staged)
	}
	if w.keeps.Load() {
		w.closeLearned()
	}
	w.fresh.Store(w.keeps.Load() && slices.ContainsFunc(all, func(one unknownFile) bool { return one.file.held == unknown }))
}

func (w *Watch) closeLearned() {
	select {
	case <-w.learned:
	default:
		close(w.learned)
	}
}

type unknownFile struct {
	path string
	file *file
}

func (w *Watch) unknown() (all []unknownFile) {
	w.top.each(func(in *folder, f *file) {
		if f.kind == regularFile && f.held == unknown {
			all = append(all, unknownFile{in.at(f.name), f})
		}
	})
	return all
}

func (w *Watch) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// keepUnknown keeps what one file holds, as long as it is what the table has.
// staged is what git's index has of it.
func (w *Watch) keepUnknown(top openDir, one unknownFile, staged map[string][20]byte) {
	f := one.file
	id, isStaged := staged[one.path]
	switch {
	case w.readable(one.path) != nil:
		f.held = forbidden
		return
	case f.size > maxUnknown:
		f.held = tooLarge
		return
	case !isStaged && !w.keeps.Load():
		return
	case !isStaged && w.budget.used.Load()+f.size > maxBudget:
		f.held = tooMuch
		return
	}
	in, err := top.below(path.Dir(one.path))
	if err != nil {
		return
	}
	defer in.close()
	text, now, err := in.read(f.name, maxUnknown)
	if err != nil || now != f.stamp {
		return // it is changing: the next walk finds it
	}
	if isStaged && git.BlobOf(text) == id {
		f.held = blob
		copy(f.sum[:], id[:])
		return
	}
	switch {
	case !w.keeps.Load():
		return // so far it is only looked for in git
	case w.budget.used.Load()+f.size > maxBudget:
		f.held = tooMuch
		return
	}
	if _, err := w.options.Store.Keep(text, ""); err != nil {
		f.held = unkept
		return
	}
	w.budget.used.Add(f.size)
	f.held, f.sum = kept, sumOf(text)
}

// readIndex finds in git's index which files are as git has them, and gives what it has of those that
// may be others now.
func (w *Watch) readIndex() (staged map[string][20]byte) {
	if w.options.Repository == nil {
		return nil
	}
	checkout := git.Look(w.folder)
	index, err := checkout.Index()
	if err != nil {
		slog.Info("read git's index", "folder", w.folder, "error", err)
		return nil
	}
	prefix, err := filepath.Rel(checkout.Top, w.folder)
	if err != nil || checkout.Top == "" {
		return nil
	}
	staged = map[string][20]byte{}
	if prefix = filepath.ToSlash(prefix) + "/"; prefix == "./" {
		prefix = ""
	}
	for one := range index.Files() {
		below, inside := strings.CutPrefix(one.Path, prefix)
		if !inside {
			continue
		}
		f := w.top.find(below)
		switch {
		case f == nil || f.kind != regularFile || f.held != unknown:
		case !f.racy && isIndexed(f.stamp, one):
			f.held = blob
			copy(f.sum[:], one.Blob[:])
		default:
			staged[below] = one.Blob
		}
	}
	return staged
}

// isIndexed says that a file is as it was when git put it into its index.
func isIndexed(s stamp, as git.Indexed) bool {
	return !as.Racy && s.modified == as.Modified && s.changed == as.Changed && uint32(s.size) == as.Size && uint32(s.inode) == as.Inode
}
