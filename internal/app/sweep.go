package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

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
			name, forked := strings.CutSuffix(entry.Name(), base.ForkSuffix)
			if forked && !old(entry) { // another process may be forking it now
				continue
			}
			if name != string(h.Root) && uuid.Validate(name) == nil {
				others = append(others, lifecycle.SessionID(name))
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
		if _, used, err := h.Store.Holder(root); err != nil || used { // a picture was pasted, and nothing sent yet
			continue
		}
		if err := base.RemoveKept(h.Base, root); err != nil {
			return err
		}
	}
	return nil
}

// old reports whether a folder has been there for a day.
func old(entry os.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && time.Since(info.ModTime()) > 24*time.Hour
}

func closeOutputs(o *outputs.Store) {
	if err := o.Close(); err != nil {
		slog.Error("close the kept outputs", "error", err)
	}
}
