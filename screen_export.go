package main

import (
	"context"
	"errors"
	"path/filepath"

	"pawl/export"
	"pawl/lifecycle"
	"pawl/ui"
)

// exportByKey writes the session into the folder, beside earlier exports of it.
func (h *house) exportByKey(ctx context.Context, as ui.Manner) (string, error) {
	h.exporting.Lock()
	defer h.exporting.Unlock()
	info, err := h.store.Session(ctx, string(h.root))
	if err != nil {
		return "", errors.New("there is nothing to export yet")
	}
	if _, err := h.opening.wait(ctx); err != nil {
		return "", err
	}
	snap, err := h.supervisor.Snapshot(h.root)
	if err != nil {
		return "", err
	}
	source, err := h.sourceOf(ctx, info)
	if err != nil {
		return "", err
	}
	return exportBeside(ctx, h.world.folder, as, source, snap.Seq, "pawl export "+string(h.root))
}

// exportBeside writes a session into a folder under a name that is free there, and gives
// its whole path. Without a format it is the one for reading. The command is one that can
// write it elsewhere.
func exportBeside(ctx context.Context, folder string, as ui.Manner, source export.Source, upto lifecycle.Seq, command string) (string, error) {
	manner := export.Manner{Format: export.Format(orDefault(as.Format, string(export.FormatMarkdown))), Brief: as.Brief, NoContent: as.NoContent}
	if err := manner.Check(); err != nil {
		return "", err
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	root := source.Session.ID
	for {
		path := export.Unique(filepath.Join(folder, export.Name(root, manner.Format)))
		switch err := exportTo(ctx, path, false, manner, source, upto); {
		case errors.Is(err, export.ErrExists): // another took the name meanwhile
		case err != nil:
			return "", elsewhere(err, command+" -o FILE")
		default:
			return path, nil
		}
	}
}
