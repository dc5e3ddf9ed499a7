package folderwatch

import (
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"

	"pawl/lifecycle"
)

// written is what a file tool has left at a path.
type written struct {
	path string
	file file
}

// Writing says that a file tool is about to change a file, by its path relative to the folder,
// with slashes: what happens there until written is called is no command's. written takes the hash of
// what the tool wrote and had kept; empty: it wrote nothing.
func (w *Watch) Writing(at string) (wrote func(hash string)) {
	at = path.Clean(filepath.ToSlash(at))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing[at]++
	return func(hash string) { w.wrote(at, hash) }
}

func (w *Watch) wrote(at, hash string) {
	now, known := file{}, false
	if sum, err := hex.DecodeString(hash); err == nil && len(sum) == len(now.sum) {
		now, err = w.standing(at)
		known = err == nil && now.kind == regularFile
		now.held, now.sum = unkept, [32]byte{}
		if w.options.Store.Has(hash) {
			now.held, now.sum = kept, [32]byte(sum)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing[at]--; w.writing[at] == 0 {
		delete(w.writing, at)
	}
	if known && w.off == nil {
		w.written = append(w.written, written{at, now})
	}
}

// standing is what stands at a path now, without the content of a regular file.
func (w *Watch) standing(at string) (file, error) {
	top, err := openTop(w.folder)
	if err != nil {
		return file{}, err
	}
	defer top.close()
	in, err := top.below(path.Dir(at))
	if err != nil {
		return file{}, err
	}
	defer in.close()
	is, err := in.stat(path.Base(at))
	now := file{stamp: is, racy: latest(is.changed) >= fileNow()}
	if err == nil && is.kind == link {
		now.target, err = in.readlink(path.Base(at))
	}
	return now, err
}

// isWritten also says yes of what came while a walk was under way: the next one has it in the table.
func (w *Watch) isWritten(at string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writing[at] > 0 || slices.ContainsFunc(w.written, func(one written) bool { return one.path == at })
}

// takeWritten brings into the table what file tools have written. Its caller has the turn.
func (w *Watch) takeWritten() {
	w.mu.Lock()
	all := w.written
	w.written = nil
	w.mu.Unlock()
	for _, one := range all {
		w.top.put(one.path, one.file)
	}
}

// Known takes in what another process, or a person, has changed: no command here has.
func (w *Watch) Known(changed lifecycle.FilesChanged) {
	if changed.Folder != w.folder {
		return
	}
	for _, one := range changed.Files {
		if one.After.Kind == lifecycle.FileRegular && one.After.Hash != "" {
			w.Writing(one.Path)(one.After.Hash)
			continue
		}
		now, err := w.standing(one.Path)
		if err == nil && (now.kind == nothing && one.After.Kind == lifecycle.FileNone || now.kind == link && one.After.Kind == lifecycle.FileLink) {
			w.mu.Lock()
			w.written = append(w.written, written{one.Path, now})
			w.mu.Unlock()
		}
	}
}
