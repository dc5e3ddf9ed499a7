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

// sweep removes what is kept of sessions that no longer exist, outputs and files: the process that
// deleted them may have died too early.
func (h *Session) sweep(ctx context.Context) {
	if err := h.sweepThrough(ctx); err != nil && ctx.Err() == nil {
		slog.Error("remove what is kept of deleted sessions", "error", err)
	}
}

func (h *Session) sweepThrough(ctx context.Context) error {
	var others []lifecycle.SessionID
	for _, folder := range []string{h.Folders.Outputs(), h.Folders.Files()} {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, entry := range entries { // Pawl creates only names that are ids
			if entry.Name() != string(h.Root) && uuid.Validate(entry.Name()) == nil {
				others = append(others, lifecycle.SessionID(entry.Name()))
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	// Read after the folders were listed: a session exists before what is kept of it.
	sessions, err := h.Store.Sessions(ctx, store.Filter{RootsOnly: true})
	if err != nil {
		return err
	}
	for _, root := range others {
		if slices.ContainsFunc(sessions, func(s store.SessionInfo) bool { return s.ID == root }) {
			continue
		}
		if err := base.RemoveKept(h.Base, root); err != nil {
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
