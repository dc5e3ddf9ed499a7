package app

import (
	"context"

	"pawl/internal/base"
	"pawl/internal/landing"
	"pawl/lifecycle"
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

// recoverCommit ends what a process that died has left of a landing's commit. It comes before the
// files of the landing are put right.
func (h *Session) recoverCommit(ctx context.Context) error {
	return landing.RecoverCommit(ctx, base.JournalOf(h.Base, h.Root), h.trees.Scratch(),
		func() (git.Repository, error) { return h.Project.Repository(&process.Launcher{}) },
		func(operation lifecycle.OperationID) (bool, error) { return h.hasOperation(ctx, h.Root, operation) })
}
