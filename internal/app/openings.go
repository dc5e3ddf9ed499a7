package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"pawl/export/book"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/store"
)

// journal is the store with a note beside the log: under which versions and settings
// this process took the session up. The note is made behind the first record, so that
// who only looks leaves none.
type journal struct {
	*store.Store
	taken sync.Once
	note  func(ctx context.Context, first lifecycle.Record)
}

// Append is the store's.
func (j *journal) Append(ctx context.Context, changes []lifecycle.Change) error {
	if err := j.Store.Append(ctx, changes); err != nil {
		return err
	}
	for _, change := range changes {
		if len(change.Records) > 0 {
			j.taken.Do(func() { j.note(ctx, change.Records[0]) })
			break
		}
	}
	return nil
}

// noteOpening keeps what an export says of this opening. It is no part of the log: where
// it cannot be kept, the log of the program says so and the session goes on.
func (h *Session) noteOpening(ctx context.Context, first lifecycle.Record) {
	all, err := stored.Openings(ctx, h.Base, h.Root)
	if err == nil {
		all = append(all, h.OpeningAt(first.Seq, first.Time))
		var text []byte
		if text, err = json.Marshal(all); err == nil {
			err = h.Store.SetSessionFact(ctx, h.Root, store.FactOpenings, string(text))
		}
	}
	if err != nil {
		slog.Warn("keep the settings of this opening", "error", err)
	}
}

// OpeningAt says under which versions and settings this process adds to the log.
func (h *Session) OpeningAt(seq lifecycle.Seq, at time.Time) book.Opening {
	settings := h.Settings.InForce()
	settings["permission_mode"] = string(h.Choices.Mode())
	settings["model"] = h.Choices.Model()
	return book.Opening{
		Seq: seq, Time: at.UTC(), Pawl: base.VersionText(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Database: store.Schema(),
		Screen: h.onScreen && !h.inEditor, Trusted: !h.wary, Settings: settings,
	}
}
