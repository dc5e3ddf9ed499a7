package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/google/uuid"

	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/outputs"
)

// sweepOutputs removes the kept outputs of sessions that no longer exist: the process that
// deleted them may have died too early.
func (h *Session) sweepOutputs(ctx context.Context) {
	err := h.sweepThrough(ctx)
	if err != nil && !errors.Is(err, os.ErrNotExist) && ctx.Err() == nil {
		slog.Error("remove kept outputs", "error", err)
	}
}

func (h *Session) sweepThrough(ctx context.Context) error {
	entries, err := os.ReadDir(h.Folders.Outputs())
	// Pawl creates only names that are ids.
	others := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == string(h.Root) || uuid.Validate(e.Name()) != nil })
	if err != nil || len(others) == 0 {
		return err
	}
	// Read after the folder was listed: a session exists before its outputs.
	sessions, err := h.Store.Sessions(ctx, store.Filter{RootsOnly: true})
	if err != nil {
		return err
	}
	for _, entry := range others {
		root := lifecycle.SessionID(entry.Name())
		if slices.ContainsFunc(sessions, func(s store.SessionInfo) bool { return s.ID == root }) {
			continue
		}
		if err := outputs.Remove(base.OutputsOf(h.Base, root)); err != nil {
			return err
		}
	}
	return nil
}

func closeOutputs(o *outputs.Store) {
	if err := o.Close(); err != nil {
		slog.Error("close the kept outputs", "error", err)
	}
}
