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

// journal is the store with a note beside the log: with which versions and settings this process
// opened the session. The note is written after the first record, so that reading alone leaves
// none.
type journal struct {
	*store.Store
	taken sync.Once
	note  func(ctx context.Context, first lifecycle.Record)
}

// Append implements lifecycle.Journal.
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

// noteOpening stores what exports say of this opening. It is not part of the log: if it cannot
// be stored, that is logged and the session goes on.
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

// OpeningAt describes with which versions and settings this process writes records from seq on.
func (h *Session) OpeningAt(seq lifecycle.Seq, at time.Time) book.Opening {
	settings := h.Settings.InForce()
	settings["permission_mode"] = string(h.Choices.Mode())
	settings["model"] = h.Choices.Model()
	delete(settings, "effort")
	if level := h.Choices.Effort(); level != "" {
		settings["effort"] = level
	}
	return book.Opening{
		Seq: seq, Time: at.UTC(), Pawl: base.VersionText(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Database: store.Schema(),
		Screen: h.onScreen && !h.inEditor && !h.Options.Unseen, Trusted: !h.untrusted, Settings: settings,
	}
}
