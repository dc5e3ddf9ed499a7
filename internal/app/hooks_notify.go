package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/lifecycle"
)

// notifier runs the Notification hooks while a session is open. The zero value runs none.
type notifier struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// stop ends it and the hooks that are running.
func (t *notifier) stop() {
	if t.cancel != nil {
		t.cancel()
	}
	t.done.Wait()
}

// startNotifier follows the session from here on, if there is a Notification hook.
func (h *Session) startNotifier() {
	if !slices.ContainsFunc(h.Settings.Programs, func(s hook.Spec) bool { return s.Event == agent.HookNotification }) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.notifier.cancel = cancel
	h.notifier.done.Go(func() {
		snapshot, err := h.Opening.Wait(ctx)
		if err != nil {
			return // the session could not be opened
		}
		err = h.Supervisor.Watch(ctx, h.Root, snapshot.Seq, func(u lifecycle.Updates) { h.notifyHooks(ctx, u.Records) })
		if ctx.Err() == nil {
			slog.Error("follow the session for its hooks", "error", err)
		}
	})
}

// notifyHooks runs the hooks, one after the other, for questions that wait for a person and background
// runs that have ended.
func (h *Session) notifyHooks(ctx context.Context, records []lifecycle.Record) {
	for _, rec := range records {
		o := agent.HookInput{Event: agent.HookNotification}
		switch e := rec.Event.(type) {
		case lifecycle.PermissionAsked:
			o.Kind, o.Text = hook.KindQuestion, cmp.Or(e.Who, "Pawl")+" wants to use "+e.Tool+": "+e.Subject
		case lifecycle.Ended:
			o.Kind = hook.KindCompleted
		default:
			continue
		}
		var ok bool
		if o.Run, ok = h.runNow(rec.Run); !ok || !worthNotifying(o.Run, rec.Event) {
			continue
		}
		if o.Kind == hook.KindCompleted {
			o.Text = agent.ReportOf(o.Run).Summary()
		}
		r, err := h.rules(o.Run)
		if err != nil || ctx.Err() != nil {
			continue
		}
		for _, line := range r.hooks(o.Run)(ctx, o).Warnings {
			slog.Warn("a hook", "said", line)
		}
	}
}

// worthNotifying reports whether a question is still waiting, or a background run has ended.
func worthNotifying(run lifecycle.Run, event lifecycle.Event) bool {
	if asked, is := event.(lifecycle.PermissionAsked); is {
		return slices.ContainsFunc(run.Asked, func(q lifecycle.Question) bool { return q.ID == asked.ID })
	}
	return run.Subagent() && run.Background
}

func (h *Session) runNow(id lifecycle.RunID) (lifecycle.Run, bool) {
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return lifecycle.Run{}, false
	}
	i := slices.IndexFunc(snapshot.Runs, func(r lifecycle.Run) bool { return r.ID == id })
	if i < 0 {
		return lifecycle.Run{}, false
	}
	return snapshot.Runs[i], true
}
