package host

import (
	"context"
	"maps"
	"os"
	"reflect"
	"time"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/lifecycle"
)

// statusPace is how often a status that is followed is written at most: it is looked at, not read
// through.
const statusPace = 250 * time.Millisecond

// status writes how the session stands, for headless.Client.
func (h *host) status(ctx context.Context, follow bool, send func(line any)) error {
	if _, err := h.session.Opening.Wait(ctx); err != nil {
		return err
	}
	var last fleet.Status
	for pause := time.NewTimer(0); ; pause.Reset(statusPace) {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		now, news := h.stands(ctx)
		if !reflect.DeepEqual(now, last) {
			send(now)
			last = now
		}
		if !follow {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// stands is how the session stands, and what is closed when that changes.
func (h *host) stands(ctx context.Context) (fleet.Status, <-chan struct{}) {
	title := ""
	if found, err := h.session.Store.Session(ctx, string(h.session.Root)); err == nil { // else nothing was said yet
		title = found.Title
	}
	facts := fleet.Facts{
		Folder: h.session.World.Folder, Title: title, PID: os.Getpid(), Pawl: base.VersionText(), Started: h.started,
		Limits: h.session.Settings.Slots(), Memory: fleet.OwnMemory(), Now: time.Now(),
	}
	s := h.state
	s.mu.Lock()
	defer s.mu.Unlock()
	facts.Screens, facts.Waking, facts.Fault, facts.Progress = s.screens, s.waking, s.fault, maps.Clone(s.progress)
	if s.ledger == nil {
		return fleet.Of(lifecycle.NewLedger(lifecycle.Snapshot{Root: h.session.Root}), facts), s.news
	}
	return fleet.Of(s.ledger, facts), s.news
}
