package app

import (
	"context"
	"log/slog"
	"net/url"
	"strconv"
	"sync"
	"time"

	"pawl/export/otel"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/lifecycle"
)

// flushLimit is how long the end of a session waits for a collector that does not answer.
const flushLimit = 2 * time.Second

// telemetry sends a session's spans to an OpenTelemetry collector, if variables name one. The
// zero value sends nothing.
type telemetry struct {
	since  time.Time // when Pawl began to open the session
	live   *otel.Live
	cancel context.CancelFunc
	done   sync.WaitGroup
	seen   lifecycle.Seq // the last record that was sent
}

func (h *Session) startTelemetry() {
	config, err := otel.Read(models.Lookup(h.World.Environ))
	if err != nil {
		slog.Warn("telemetry is off", "error", err)
	}
	if !config.On() {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.telemetry.cancel = cancel
	h.telemetry.done.Go(func() {
		snapshot, err := h.Opening.Wait(ctx)
		if err != nil {
			return // the session could not be opened
		}
		h.telemetry.live = otel.Start(otel.Options{
			Config: config, Version: base.VersionText(), Snapshot: snapshot, Since: h.telemetry.since,
			Hide: h.Models.Hide(), Server: h.modelServer,
		})
		h.telemetry.seen = snapshot.Seq
		if err := h.sendSpans(ctx); ctx.Err() == nil {
			slog.Error("telemetry: follow the session", "error", err)
		}
	})
}

func (h *Session) sendSpans(ctx context.Context) error {
	return h.Supervisor.Watch(ctx, h.Root, h.telemetry.seen, func(u lifecycle.Updates) {
		h.telemetry.live.Note(u.Records)
		if n := len(u.Records); n > 0 {
			h.telemetry.seen = u.Records[n-1].Seq
		}
	})
}

// stopTelemetry sends the end of the session, which has been shut, and stops.
func (h *Session) stopTelemetry() {
	if h.telemetry.cancel == nil {
		return
	}
	h.telemetry.cancel()
	h.telemetry.done.Wait()
	if h.telemetry.live == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	h.sendRest(ctx)
	h.telemetry.live.Close(ctx)
}

// sendRest sends what was recorded since the last update.
func (h *Session) sendRest(ctx context.Context) {
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil || snapshot.Seq <= h.telemetry.seen {
		return
	}
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	err = h.Supervisor.Watch(ctx, h.Root, h.telemetry.seen, func(u lifecycle.Updates) {
		h.telemetry.live.Note(u.Records)
		if n := len(u.Records); n > 0 && u.Records[n-1].Seq >= snapshot.Seq {
			enough()
		}
	})
	if ctx.Err() == nil {
		slog.Error("telemetry: read the end of the session", "error", err)
	}
}

// modelServer is the address of a model's server, if it is not the usual one.
func (h *Session) modelServer(model string) (host string, port int) {
	at, err := url.Parse(h.Models.AddressOf(model))
	if err != nil || at.Hostname() == "" {
		return "", 0
	}
	port, err = strconv.Atoi(at.Port())
	if err != nil {
		port = map[string]int{"http": 80, "https": 443}[at.Scheme]
	}
	return at.Hostname(), port
}
