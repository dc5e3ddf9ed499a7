package workspace

import (
	"bytes"
	"io/fs"
	"path"

	"pawl/internal/failpoint"
	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// keeping is what is recorded of one change, and kept of what the file held, while it is made. Nil
// keeps and records nothing.
type keeping struct {
	files  *filestore.Store
	run    lifecycle.RunID
	record lifecycle.FilesChanged // of one file
	made   bool                   // the file holds what it was to hold
	done   func()                 // removes the note of the change
}

// keep keeps what a planned change replaces, and what it puts in its place. What cannot be kept does
// not prevent the change: the record says so. A change of nothing has no record. The caller holds
// changing.
func (w *Workspace) keep(run lifecycle.RunID, call lifecycle.CallID, c Change) *keeping {
	if w.Files == nil || c.Old != nil && bytes.Equal(c.Old.Data, c.Data) {
		return nil
	}
	k := &keeping{files: w.Files, run: run, done: func() {}}
	file := lifecycle.FileChange{Path: c.Path, After: lifecycle.FileState{Kind: lifecycle.FileRegular, Size: int64(len(c.Data))}}
	like := w.keptAt[c.Path]
	if c.Old != nil {
		file.Before = lifecycle.FileState{Kind: lifecycle.FileRegular, Size: int64(len(c.Old.Data)), Mode: uint32(c.Old.Info.Mode().Perm())}
		var err error
		file.Before.Hash, err = w.Files.Keep(c.Old.Data, like)
		if err != nil {
			file.Uncovered = err.Error()
		}
		like = file.Before.Hash
	}
	// Without it the change can still be taken back, and diffs say that they do not know it.
	file.After.Hash, _ = w.Files.Keep(c.Data, like)
	w.keptAt[c.Path] = file.After.Hash
	k.record = lifecycle.FilesChanged{Call: call, By: lifecycle.ChangedByTool, Folder: w.folder, Files: []lifecycle.FileChange{file}}
	return k
}

// syncBefore begins to bring what the change replaces to the disk, if it is not there; wait returns
// when it is. So nothing is overwritten whose content a power cut could take.
func (k *keeping) syncBefore() (wait func()) {
	if k == nil || k.file().Before.Kind == lifecycle.FileNone || k.files.Synced(k.file().Before.Hash) {
		return func() {}
	}
	synced := k.sync()
	return func() {
		if err := <-synced; err != nil && k.file().Uncovered == "" {
			k.file().Uncovered = err.Error()
		}
	}
}

// syncAfter begins to bring what the file holds now to the disk, which the next change of it need not
// do then; wait returns when that is done.
func (k *keeping) syncAfter() (wait func()) {
	if k == nil {
		return func() {}
	}
	synced := k.sync()
	return func() { <-synced } //nolint:errcheck // if it is not, what replaces it will say so
}

func (k *keeping) sync() <-chan error {
	synced := make(chan error, 1)
	go func() { synced <- k.files.Sync() }()
	return synced
}

func (k *keeping) file() *lifecycle.FileChange { return &k.record.Files[0] }

// announce notes the change, and the temporary file beside it, in case this process is killed before
// it is recorded.
func (k *keeping) announce(temporary string) {
	if k == nil {
		return
	}
	intent := filestore.Intent{Run: k.run, Changed: k.record, Temporary: path.Join(path.Dir(k.file().Path), temporary)}
	if done, err := k.files.Announce(intent); err == nil { // else only a kill in the next moment would lose it
		k.done = done
	}
}

// ready is called when the file is about to take its name, with the mode that it has.
func (k *keeping) ready(mode fs.FileMode) {
	if k == nil {
		return
	}
	k.file().After.Mode = uint32(mode.Perm())
	if failpoint.On {
		failpoint.Reach("change.announced")
	}
}

func (k *keeping) changed() {
	if k == nil {
		return
	}
	k.made = true
	if failpoint.On {
		failpoint.Reach("change.made")
	}
}

// failed ends a change that was not made.
func (k *keeping) failed() {
	if k != nil && !k.made {
		k.done()
	}
}

// hash is what the file holds now; empty: it was not changed.
func (k *keeping) hash() string {
	if k == nil || !k.made {
		return ""
	}
	return k.record.Files[0].After.Hash
}

func (w *Workspace) changingFile(path string) (changed func(hash string)) {
	if w.Changing == nil {
		return func(string) {}
	}
	return w.Changing(path)
}
