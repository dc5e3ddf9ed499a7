package app

import (
	"context"
	"errors"
	"log/slog"

	"pawl/internal/base"
	"pawl/internal/landing"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/apply"
	"pawl/tools/git"
	"pawl/tools/process"
)

// hasOperation reports whether the log of a root session has a landing or a rewind.
func (h *Session) hasOperation(ctx context.Context, root lifecycle.SessionID, operation lifecycle.OperationID) (bool, error) {
	records, err := h.Store.ChangeRecords(ctx, root)
	for _, rec := range records {
		switch e := rec.Event.(type) {
		case lifecycle.Landed:
			if e.Operation == operation {
				return true, err
			}
		case lifecycle.Rewound:
			if e.Operation == operation {
				return true, err
			}
		default: // the others change no files
		}
	}
	return false, err
}

// recoverPlaced ends what a process that died has left of a landing or a rewind: in the log, and in
// the folder as after it, or in neither. It says in a line what there was to do; empty: nothing.
func (h *Session) recoverPlaced(ctx context.Context) string {
	recorded := func(operation lifecycle.OperationID) (bool, error) { return h.hasOperation(ctx, h.Root, operation) }
	err := landing.RecoverCommit(ctx, base.JournalOf(h.Base, h.Root), h.trees.Scratch(),
		func() (git.Repository, error) { return h.Project.Repository(&process.Launcher{}) }, recorded)
	undone, wrong := apply.Recover(ctx, base.JournalOf(h.Base, h.Root), h.Files, recorded)
	if err = errors.Join(err, wrong); err != nil {
		slog.Error("end a landing or rewind that was cut off", "error", err)
		return "a landing or rewind was cut off: " + words.FirstLine(err.Error())
	}
	if undone {
		return "a landing or rewind was cut off, and is undone: the files are as before"
	}
	return ""
}
