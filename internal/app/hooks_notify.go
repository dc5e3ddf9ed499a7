package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// tellLimit is how long Pawl waits at its end for the hooks that tell people what has happened by then.
// The limits of what waits for a host that leaves are longer.
const tellLimit = 5 * time.Second

// notifier runs the hooks that tell people something while a session is open. The zero value
// runs none.
type notifier struct {
	cancel context.CancelFunc // of the hooks that are running, too
	over   chan struct{}      // closed when it has ended

	mu     sync.Mutex
	busy   bool          // hooks are being told
	told   lifecycle.Seq // the newest record of which they have been told
	ending bool
	last   lifecycle.Seq // with ending: the last record of which they are told
}

// take begins to tell of records, and returns those of which it is to tell.
func (t *notifier) take(records []lifecycle.Record) []lifecycle.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = true
	if t.ending {
		at := slices.IndexFunc(records, func(rec lifecycle.Record) bool { return rec.Seq > t.last })
		if at >= 0 {
			return records[:at]
		}
	}
	return records
}

// taken notes that all up to a record has been told.
func (t *notifier) taken(seq lifecycle.Seq) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy, t.told = false, seq
	t.endIfTold()
}

// finish has it end once all up to a record has been told, and tell of nothing that comes after it.
func (t *notifier) finish(last lifecycle.Seq) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ending, t.last = true, last
	t.endIfTold()
}

func (t *notifier) endIfTold() {
	if t.ending && !t.busy && t.told >= t.last {
		t.cancel()
	}
}

// stop waits for the end of a notifier that finishes, until the limit. Then the hooks that are running
// are ended.
func (t *notifier) stop(limit <-chan time.Time) {
	select {
	case <-t.over:
	case <-limit:
		t.cancel()
		<-t.over
	}
}

// beginEnd has people told of what has been recorded by now, and of nothing else. Calling stop waits for
// that, and for at most tellLimit from now on.
func (h *Session) beginEnd() (stop func()) {
	if h.notifier.cancel == nil {
		return func() {}
	}
	limit := time.After(tellLimit)
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		h.Hurry() // nothing of it is open
	}
	h.notifier.finish(snapshot.Seq)
	return func() { h.notifier.stop(limit) }
}

// Hurry ends the hooks that tell people something, and has Close wait for none: so does a process that
// was told to end. It may be called at any time, from any goroutine.
func (h *Session) Hurry() {
	if h.notifier.cancel != nil {
		h.notifier.cancel()
	}
}

// peoplesEvents are the events of these hooks.
var peoplesEvents = []agent.HookEvent{agent.HookNotification, agent.HookNeedsInput, agent.HookAllEnded}

// startNotifier follows the session from here on, if there is a hook that tells people something.
func (h *Session) startNotifier() {
	if !slices.ContainsFunc(h.Settings.Programs, func(s hook.Spec) bool { return slices.Contains(peoplesEvents, s.Event) }) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.notifier.cancel, h.notifier.over = cancel, make(chan struct{})
	go func() {
		defer close(h.notifier.over)
		snapshot, err := h.Opening.Wait(ctx)
		if err != nil {
			return // the session could not be opened
		}
		n := notices{Session: h, ledger: lifecycle.NewLedger(snapshot)}
		h.notifier.taken(snapshot.Seq)
		err = h.Supervisor.Watch(ctx, h.Root, snapshot.Seq, func(u lifecycle.Updates) {
			u.Records = h.notifier.take(u.Records)
			n.note(ctx, u)
			h.notifier.taken(n.ledger.Seq())
		})
		if ctx.Err() == nil {
			slog.Error("follow the session for its hooks", "error", err)
		}
	}()
}

// notices is what the hooks have been told of a session. Only the notifier's goroutine uses it.
type notices struct {
	*Session
	ledger *lifecycle.Ledger
	needs  bool                                  // told: the session waits for a person
	waking bool                                  // the parent is about to wake
	ended  map[lifecycle.SessionID]lifecycle.Run // the newest run of each session that ended since nothing ran last
}

// note runs the hooks for what has happened, one after the other.
func (n *notices) note(ctx context.Context, u lifecycle.Updates) {
	for _, rec := range u.Records {
		if rec.Seq <= n.ledger.Seq() {
			continue // the snapshot has it
		}
		if err := n.ledger.Apply(rec); err != nil {
			slog.Error("follow the session for its hooks", "record", rec.Seq, "error", err)
			return
		}
		if _, ends := rec.Event.(lifecycle.Ended); ends {
			n.remember(n.ledger.Run(rec.Run))
		}
		if len(n.ledger.Questions()) == 0 {
			n.needs = false // the next question is a new one, though a hook has outlasted this moment
		}
		n.notify(ctx, rec)
	}
	for _, run := range u.Unsaved {
		n.ledger.Lose(run)
		n.remember(run)
	}
	n.waking = u.Waking
	n.needsInput(ctx)
	n.allEnded(ctx)
}

func (n *notices) remember(run lifecycle.Run) {
	if n.ended == nil {
		n.ended = map[lifecycle.SessionID]lifecycle.Run{}
	}
	n.ended[run.Session] = run
}

// notify asks the Notification hooks, for a question that waits for a person or a background run
// that has ended.
func (n *notices) notify(ctx context.Context, rec lifecycle.Record) {
	o := agent.HookInput{Event: agent.HookNotification}
	switch e := rec.Event.(type) {
	case lifecycle.PermissionAsked:
		o.Kind, o.Text = hook.KindQuestion, wants(e.Who, e.Tool, e.Subject)
	case lifecycle.Ended:
		o.Kind = hook.KindCompleted
	default:
		return
	}
	var ok bool
	if o.Run, ok = n.runNow(rec.Run); !ok || !worthNotifying(o.Run, rec.Event) {
		return
	}
	if o.Kind == hook.KindCompleted {
		o.Text = agent.ReportOf(o.Run).Summary()
	}
	n.tell(ctx, o)
}

// needsInput asks the NeedsInput hooks once for all questions that wait at the same time.
func (n *notices) needsInput(ctx context.Context) {
	open := n.ledger.Questions()
	if n.needs == (len(open) > 0) {
		return
	}
	n.needs = len(open) > 0
	if !n.needs {
		return
	}
	first := open[0]
	run, ok := n.runNow(first.Run)
	if !ok || !waits(run, first.ID) {
		n.needs = false // it was answered meanwhile; the next question is a new one
		return
	}
	text := wants(first.Who, first.Tool, first.Subject)
	if more := len(open) - 1; more > 0 {
		text += ", and " + words.CountOf(more, "question waits", "questions wait") + " behind it"
	}
	n.tell(ctx, agent.HookInput{Event: agent.HookNeedsInput, Run: run, Text: text})
}

// allEnded asks the AllEnded hooks once nothing of the session runs any more, whoever began it.
// One prompt without a screen ends with its process, which says the same.
func (n *notices) allEnded(ctx context.Context) {
	if len(n.ended) == 0 || n.ledger.Working() > 0 || n.waking || n.Options.Print {
		return
	}
	ended, parent := n.ended, n.ledger.Latest(n.Root)
	n.ended = nil
	n.tell(ctx, agent.HookInput{Event: agent.HookAllEnded, Run: parent, Text: summaryOf(parent, ended)})
}

// summaryOf says in one line how a session's runs have ended.
func summaryOf(parent lifecycle.Run, ended map[lifecycle.SessionID]lifecycle.Run) string {
	how := map[lifecycle.State]int{}
	subagents := 0
	for _, run := range ended {
		if run.Subagent() && !run.Shell() {
			subagents++
			how[run.State]++
		}
	}
	text := "Pawl: " + parent.State.Words(lifecycle.ForCard)
	if subagents == 0 {
		return text
	}
	var states []string
	for _, state := range lifecycle.States() {
		if how[state] > 0 {
			states = append(states, words.Grouped(int64(how[state]))+" "+state.Words(lifecycle.ForCard))
		}
	}
	return text + "; " + words.Count(subagents, "subagent") + ": " + words.List(states)
}

// tell runs the hooks of an event.
func (n *notices) tell(ctx context.Context, o agent.HookInput) {
	r, err := n.rules(o.Run)
	if err != nil || ctx.Err() != nil {
		return
	}
	ask := r.hooks(o.Run)
	if ask == nil {
		return
	}
	for _, line := range ask(ctx, o).Warnings {
		slog.Warn("a hook", "said", line)
	}
}

// wants says in one line what a question is about.
func wants(who, tool, subject string) string {
	return cmp.Or(who, "Pawl") + " wants to use " + tool + ": " + subject
}

// worthNotifying reports whether a question is still waiting, or a background run has ended.
func worthNotifying(run lifecycle.Run, event lifecycle.Event) bool {
	if asked, is := event.(lifecycle.PermissionAsked); is {
		return waits(run, asked.ID)
	}
	return run.Subagent() && run.Owes()
}

func waits(run lifecycle.Run, question lifecycle.QuestionID) bool {
	return slices.ContainsFunc(run.Asked, func(q lifecycle.Question) bool { return q.ID == question })
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
