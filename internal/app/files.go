package app

import (
	"context"
	"log/slog"
	"path/filepath"

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
		if !recorded(log, intent) && made(intent) {
			err = record(intent.Run, intent.Changed)
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

// made reports whether the files hold what the change was to give them.
func made(intent filestore.Intent) bool {
	for _, file := range intent.Changed.Files {
		data, err := regular.Read(filepath.Join(intent.Changed.Folder, filepath.FromSlash(file.Path)), file.After.Size)
		if err != nil || filestore.Hash(data) != file.After.Hash {
			return false
		}
	}
	return len(intent.Changed.Files) > 0
}

func closeFiles(files *filestore.Store) {
	if err := files.Close(); err != nil {
		slog.Error("close the file store", "error", err)
	}
}
