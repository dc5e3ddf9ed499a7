package workspace

import (
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
	if w.Files == nil || c.Old != nil && c.before() == (Snapshot{Data: c.Data}).sum() {
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

// sync begins to bring what was kept to the disk; wait returns when it is there. So nothing is
// overwritten whose content a power cut could take.
func (k *keeping) sync() (wait func()) {
	if k == nil {
		return func() {}
	}
	synced := make(chan error, 1)
	go func() { synced <- k.files.Sync() }()
	return func() {
		file := &k.record.Files[0]
		if err := <-synced; err != nil && file.Before.Kind != lifecycle.FileNone {
			file.Uncovered = err.Error()
		}
	}
}

// announce notes the change, in case this process is killed before it is recorded.
func (k *keeping) announce(mode uint32) {
	if k == nil {
		return
	}
	k.record.Files[0].After.Mode = mode
	if done, err := k.files.Announce(filestore.Intent{Run: k.run, Changed: k.record}); err == nil { // else only a kill in the next moment would lose it
		k.done = done
	}
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
