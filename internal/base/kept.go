package base

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/outputs"
)

// FilesOf is the folder of a session's file store: what files held before and after each change. It
// is removed with the session.
func FilesOf(b *Base, root lifecycle.SessionID) string {
	return filepath.Join(b.Folders.Files(), string(root))
}

// JournalOf is the folder in which a landing or a rewind of a session notes what a crash would leave
// half done. It is in that of the file store, with which it goes.
func JournalOf(b *Base, root lifecycle.SessionID) string {
	return filepath.Join(FilesOf(b, root), "journal")
}

// ReadFiles opens the file store of a session, to be read until b is closed. One goroutine calls it.
func (b *Base) ReadFiles(root lifecycle.SessionID) *filestore.Store {
	files := filestore.New(FilesOf(b, root))
	b.read = append(b.read, files)
	return files
}

// OutputsOf is the folder of a session's tool outputs that were too long for a model. It is
// removed with the session.
func OutputsOf(b *Base, root lifecycle.SessionID) string {
	return filepath.Join(b.Folders.Outputs(), string(root))
}

// ForkSuffix ends the names of folders that are copied for a fork which is not in the database yet.
const ForkSuffix = ".fork"

// CopyKept copies what is kept of a session beside the database for a fork of it: aside, until
// TakeKept. What is kept of a session that is not in the database may be swept away.
func CopyKept(b *Base, from, fork lifecycle.SessionID) error {
	return errors.Join(
		outputs.Copy(OutputsOf(b, from), OutputsOf(b, fork+ForkSuffix)),
		filestore.Copy(FilesOf(b, from), FilesOf(b, fork+ForkSuffix)),
	)
}

// TakeKept gives a fork, once it is in the database, what was copied for it. Whoever opens a session
// calls it too: the process that forked it may have died before.
func TakeKept(b *Base, fork lifecycle.SessionID) error {
	var errs []error
	for _, folder := range []func(*Base, lifecycle.SessionID) string{OutputsOf, FilesOf} {
		err := os.Rename(folder(b, fork+ForkSuffix), folder(b, fork))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// RemoveKept removes what is kept of a session beside the database: its outputs and its file store.
func RemoveKept(b *Base, root lifecycle.SessionID) error {
	var errs []error
	for _, id := range []lifecycle.SessionID{root, root + ForkSuffix} {
		errs = append(errs, outputs.Remove(OutputsOf(b, id)), filestore.Remove(FilesOf(b, id)))
	}
	return errors.Join(errs...)
}
