package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"pawl/internal/regular"
	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// recordAnnounced records the changes that were announced and made, and whose process was killed
// before it recorded them. One that was not made is forgotten. of chooses among them: no other
// process may be about to make those. record appends to the log of the run.
func (h *Session) recordAnnounced(ctx context.Context, of func(filestore.Intent) bool, record func(lifecycle.RunID, lifecycle.FilesChanged) error) {
	announced, err := h.Files.Announced()
	var log []lifecycle.Record
	if len(announced) > 0 && err == nil {
		log, err = h.Store.ChangeRecords(ctx, h.Root)
	}
	for _, intent := range announced {
		if err != nil {
			break
		}
		if !of(intent) {
			continue
		}
		if changed, is := made(intent); is && !recorded(log, intent) {
			err = record(intent.Run, changed)
		}
		if err == nil {
			err = removeTemporary(intent)
		}
		if err == nil {
			err = h.Files.Forget(intent)
		}
	}
	if err != nil { // the next opening tries again
		slog.Error("record what a killed process has changed", "session", h.Root, "error", err)
	}
}

// recorded reports whether a change stands in the log.
func recorded(log []lifecycle.Record, intent filestore.Intent) bool {
	for _, rec := range log {
		if changed, is := rec.Event.(lifecycle.FilesChanged); is && rec.Run == intent.Run && changed.Call == intent.Changed.Call {
			return true
		}
	}
	return false
}

// made is what a change has made of its files, and whether they hold what it was to give them.
func made(intent filestore.Intent) (lifecycle.FilesChanged, bool) {
	changed := intent.Changed
	changed.Files = slices.Clone(changed.Files)
	for i, file := range changed.Files {
		path := filepath.Join(changed.Folder, filepath.FromSlash(file.Path))
		data, err := regular.Read(path, file.After.Size)
		if err != nil || filestore.Hash(data) != file.After.Hash {
			return changed, false
		}
		if info, err := os.Stat(path); err == nil {
			changed.Files[i].After.Mode = uint32(info.Mode().Perm())
		}
	}
	return changed, len(changed.Files) > 0
}

// removeTemporary removes what was to take the place of a file, if it is still there.
func removeTemporary(intent filestore.Intent) error {
	root, err := regular.OpenRoot(intent.Changed.Folder)
	if err != nil || intent.Temporary == "" {
		return nil // the folder is gone, and all in it
	}
	defer root.Close()
	if err := root.Remove(filepath.FromSlash(intent.Temporary)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func closeFiles(files *filestore.Store) {
	if err := files.Close(); err != nil {
		slog.Error("close the file store", "error", err)
	}
}
