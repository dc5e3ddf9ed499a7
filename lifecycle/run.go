package lifecycle

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Run is one turn of a session, as a fold of its records: the same value for
// the supervisor, the store, the screen and the export. A run of a subagent
// session is what the design calls a SubagentRun; its JSON is the
// metadata.subagent_run of the tool call that started it.
//
// Runs are values. Apply never changes the one it is called on, so a Run can be
// handed to any goroutine.
type Run struct {
	ID      RunID     `json:"run"`
	Session SessionID `json:"session"`
	Spec
	State  State    `json:"state"`
	Cause  Cause    `json:"cause,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Error  *Failure `json:"error,omitempty"`
	// ExitCode is that of the run's own process, if it had one that has ended.
	ExitCode *int `json:"exit_code,omitempty"`
	// Worktree is what became of the run's own, once it has ended.
	Worktree *Worktree `json:"worktree,omitempty"`

	SpawnedAt       time.Time `json:"spawned_at,omitzero"`
	StartedAt       time.Time `json:"started_at,omitzero"`
	StopRequestedAt time.Time `json:"stop_requested_at,omitzero"`
	DetachedAt      time.Time `json:"detached_at,omitzero"`
	OverdueAt       time.Time `json:"overdue_at,omitzero"`
	LeftAt          time.Time `json:"left_at,omitzero"`  // the call that waited for it came back before its end
	HeardAt         time.Time `json:"heard_at,omitzero"` // the last sign of life of its own, its end included
	EndedAt         time.Time `json:"ended_at,omitzero"`

	Result  string `json:"result,omitempty"`  // the final text, once there is one
	Partial string `json:"partial,omitempty"` // the newest text there is, until then

	Step     int   `json:"step"`
	TextStep int   `json:"text_step,omitempty"` // the step that wrote Partial
	Nudges   int   `json:"nudges,omitempty"`
	Usage    Usage `json:"usage"`
	// EffortSent is what went with the newest request that was answered; Spec.Effort is what
	// was asked for.
	EffortSent string `json:"effort_sent,omitempty"`
	// Fallback is the model that works in place of the run's own; empty: that one works.
	Fallback string     `json:"fallback,omitempty"`
	Tools    []OpenTool `json:"open_tools,omitempty"`
	LastTool string     `json:"last_tool,omitempty"` // the newest call it made, in one line
	Asked    []Question `json:"open_questions,omitempty"`
	Denials  []Denial   `json:"denials,omitempty"`
	Lifted   []Lifted   `json:"lifted,omitempty"` // denials, by a grant that was told to this run
	Warnings []Warned   `json:"warnings,omitempty"`
	Waiting  *Waiting   `json:"waiting,omitempty"` // why it is quiet, while it is
	Unread   int        `json:"unread,omitempty"`  // messages of its parent's model that it ended without reading

	Notification *Notification `json:"notification,omitempty"`
	Consumed     *Consumption  `json:"consumed,omitempty"`

	// Placed is where a run of IsolationRemote is worked at, once a worker has taken it, and Request the
	// newest request of its process that is recorded.
	Placed  *Placement `json:"placed,omitempty"`
	Request int64      `json:"request,omitempty"`

	Changed int      `json:"files_changed,omitempty"` // changes of files that it recorded; one file may count twice
	Landing *Landing `json:"landing,omitempty"`       // the newest

	Seq Seq `json:"seq"` // of the last record folded in

	prose  *prose          // where Partial grows on
	warned *series[Warned] // where Warnings do
	denied *series[Denial] // where Denials do
}

// OpenTool is a tool call that has not ended.
type OpenTool struct {
	Call  CallID    `json:"call"`
	Tool  string    `json:"tool"`
	Label string    `json:"label,omitempty"`
	Since time.Time `json:"since"`
}

// Notification is what became of a notification that a parent is owed.
type Notification struct {
	QueuedAt    time.Time `json:"queued_at"`
	DeliveredAt time.Time `json:"delivered_at,omitzero"`
	InRun       RunID     `json:"in_run,omitempty"` // of the parent
	Step        int       `json:"step,omitempty"`
	WithdrawnAt time.Time `json:"withdrawn_at,omitzero"`
	WithdrawnBy Consumer  `json:"withdrawn_by,omitempty"`
}

// Pending reports whether the parent is still owed this notification.
func (n *Notification) Pending() bool {
	return n != nil && n.InRun == "" && n.WithdrawnBy == ""
}

// Landing says what of a run's worktree was brought into the folder, and when.
type Landing struct {
	At      time.Time `json:"at"`
	Files   int       `json:"files"`
	Left    int       `json:"left,omitempty"`    // files that were not, or not wholly, landed
	Commit  string    `json:"commit,omitempty"`  // made of it
	Removed bool      `json:"removed,omitempty"` // the worktree is gone
}

// ToLand reports whether the run has left changes in its worktree that are not landed.
func (r Run) ToLand() bool {
	return r.Worktree != nil && r.Worktree.Kept && r.State.Terminal() && (r.Landing == nil || !r.Landing.Removed)
}

// Consumption says when and by what the result came into the parent's transcript.
type Consumption struct {
	At    time.Time `json:"at"`
	By    Consumer  `json:"by"`
	InRun RunID     `json:"in_run,omitempty"`
	Call  CallID    `json:"call,omitempty"`
}

// Subagent reports whether this is a run of a subagent session.
func (r Run) Subagent() bool { return r.Child() && !r.Shell() }

// Child reports whether another session started this one: a subagent's run, or a
// shell.
func (r Run) Child() bool { return r.Parent != "" }

// Owes reports whether the end of this run, if it came now, would owe its parent a
// notification: it runs in the background, or was detached, overdue or left behind by its
// call. A shell that ends with the run that started it owes none, unless it is one of the user's own.
func (r Run) Owes() bool {
	return r.Child() && (r.Background || r.left()) && (r.Cause != CauseRunEnd || r.UserShell())
}

// Awaited reports whether a tool call of its parent waits for the run.
func (r Run) Awaited() bool {
	return r.Child() && !r.State.Terminal() && !r.Background && !r.left()
}

// Stopped reports whether somebody has asked for the end of the run, even if too late.
func (r Run) Stopped() bool { return r.State == StateCanceledByUser || !r.StopRequestedAt.IsZero() }

// Unable reports whether the run failed before its first step.
func (r Run) Unable() bool { return r.State == StateFailed && r.Step == 0 }

// left reports whether the call that waited for the run came back before its end.
func (r Run) left() bool {
	return !r.DetachedAt.IsZero() || !r.OverdueAt.IsZero() || !r.LeftAt.IsZero()
}

// told reports whether the parent was told of the end, or will be.
func (r Run) told() bool { return r.Consumed != nil || r.Notification != nil }

// Untold reports whether the run has ended and its parent's model does not know that yet. The
// end of a shell that ended with the run that started it is never reported.
func (r Run) Untold() bool {
	return r.Child() && r.State.Terminal() && r.Consumed == nil && !r.forgotten()
}

// Resumable reports whether Continue accepts the run: it was interrupted, or it is the main
// agent's and failed because of the model's server. A failed subagent is resumed by its parent.
func (r Run) Resumable() bool {
	if r.Shell() {
		return false
	}
	server := r.Error != nil && (r.Error.Kind == FailProvider || r.Error.Kind == FailRateLimited)
	return r.State == StateInterrupted || r.State == StateFailed && server && !r.Child()
}

// Output is the text that stands for this run: its result or, without one, what
// there was of it.
func (r Run) Output() string { return cmp.Or(r.Result, r.Partial) }

// Elapsed is how long the run has taken from its request until now or its end. For a run that
// was found dead it is the time until its last sign of life. It is never negative, whatever
// the clock did.
func (r Run) Elapsed(now time.Time) time.Duration {
	if r.State.Terminal() {
		now = r.EndedAt
	}
	if r.Cause == CauseProcessEnd && r.State.Terminal() && !r.HeardAt.IsZero() {
		now = r.HeardAt
	}
	return max(0, now.Sub(r.SpawnedAt))
}

// Apply folds one record into the run and returns the run after it. It is the
// only place where a run changes, and the table test beside it walks every state
// and every event. On an error the run comes back as it was.
func (r Run) Apply(rec Record) (Run, error) {
	if err := r.admits(rec); err != nil {
		return r, err
	}
	next := r
	next.fold(rec)
	return next, nil
}

// fold takes in a record that the run admits, in place.
func (r *Run) fold(rec Record) {
	alive := !r.State.Terminal()
	r.Seq, r.Request = rec.Seq, max(r.Request, rec.Request)
	r.apply(rec)
	if alive && ofItsOwn(rec.Event) {
		r.HeardAt = rec.Time
	}
}

// ofItsOwn reports whether an event is a sign of life of the run. What others do to it is
// none, nor is the end of a run that was found dead.
func ofItsOwn(event Event) bool {
	switch e := event.(type) {
	case Ended:
		return !e.Found
	case Landed, Rewound:
		return false
	default:
		return phaseOf(event) != whileOpen
	}
}

// apply changes r in place; Apply has checked the record and copied the run.
// Slices are cloned before they change: the copy shares them with its original.
func (r *Run) apply(rec Record) {
	switch e := rec.Event.(type) {
	case Spawned:
		*r = Run{ID: rec.Run, Session: rec.Session, Spec: e.Spec, State: StateQueued, SpawnedAt: rec.Time, Seq: rec.Seq}
	case Queued:
		// Nothing changes: the state is queued already, and the position follows from the order
		// of the queue. The event records that the run had to wait.
	case Started:
		r.State, r.StartedAt = StateRunning, rec.Time
	case StepStarted:
		r.Step, r.Waiting = e.Step, nil
		r.Usage.Steps++
	case Waiting:
		r.Waiting = &e
		if e.Discarded {
			r.takeBack()
		}
	case Text:
		r.Waiting = nil
		r.addText(e.Text)
	case Thinking:
		r.Waiting = nil
	case ToolStarted, ToolEnded, Searched:
		r.applyTool(rec.Time, e)
	case PermissionAsked:
		r.Asked = append(slices.Clone(r.Asked), e.Question)
	case PermissionGranted:
		r.Asked = dropped(r.Asked, func(q Question) bool { return q.ID == e.Question })
		r.lift(rec.Time, e)
	case PermissionDenied:
		r.deny(rec.Time, e)
		r.Asked = dropped(r.Asked, func(q Question) bool { return q.ID == e.Question })
	case MessageQueued, MessageEdited, MessageMoved, MessageTaken:
		// These belong to the session's queue: Inbox.Apply reads them.
	case MessageWithdrawn:
		if e.Returned && e.From == FromAgent {
			r.Unread++
		}
	case Warned:
		r.addWarning(rec.Time, e)
	case Nudged:
		r.Nudges++
	case Overdue:
		r.OverdueAt = rec.Time
	case Detached:
		r.Background, r.DetachedAt = true, rec.Time
	case Compacted: // of the model's transcript alone; the trail keeps the mark
		r.Waiting = nil
	case UsageReported:
		r.addUsage(e)
	case StopRequested:
		r.Asked = nil                   // a run that is to end asks nothing more
		if r.StopRequestedAt.IsZero() { // the first request is the one that counts
			r.StopRequestedAt, r.Cause, r.Reason = rec.Time, e.Cause, e.Reason
		}
	case Ended:
		r.applyEnd(rec.Time, e)
	case NotificationQueued, NotificationDelivered, NotificationWithdrawn, Consumed:
		r.applyAfter(rec.Time, e)
	case FilesChanged:
		r.Changed += len(e.Files)
	case Landed:
		r.Landing = &Landing{At: rec.Time, Files: len(e.Files), Left: len(e.Left), Commit: e.Commit, Removed: e.Removed}
	case Placed:
		r.place(rec.Time, e)
	case Rewound: // lifecycle/files folds what files hold
	}
}

// applyTool notes what the run does with tools, its own and those of its model's server.
func (r *Run) applyTool(at time.Time, event Event) {
	switch e := event.(type) {
	case ToolStarted:
		r.Waiting = nil
		r.Usage.ToolCalls++
		r.LastTool = strings.TrimSpace(e.Tool + " " + e.Label)
		r.Tools = append(slices.Clone(r.Tools), OpenTool{Call: e.Call, Tool: e.Tool, Label: e.Label, Since: at})
	case ToolEnded:
		r.Tools = dropped(r.Tools, func(t OpenTool) bool { return t.Call == e.Call })
	case Searched:
		r.Waiting = nil
		if len(e.Cited) == 0 {
			r.LastTool = e.Words()
		}
	default: // apply has sorted them
	}
}

func (r *Run) addUsage(e UsageReported) {
	r.Usage = r.Usage.Add(e.Usage)
	if e.answered() {
		r.EffortSent = e.Effort
	}
}

// applyEnd closes the run.
func (r *Run) applyEnd(at time.Time, e Ended) {
	r.State, r.EndedAt = e.State, at
	r.Cause, r.Reason, r.Error = e.Cause, e.Reason, e.Error
	r.Result, r.Partial, r.ExitCode, r.Worktree = e.Result, e.Partial, e.ExitCode, e.Worktree
	r.Tools, r.Asked, r.Waiting = nil, nil, nil
	r.prose, r.warned, r.denied = nil, nil, nil
}

// applyAfter notes how its parent learns of the end.
func (r *Run) applyAfter(at time.Time, event Event) {
	var n Notification
	if r.Notification != nil {
		n = *r.Notification
	}
	switch e := event.(type) {
	case NotificationQueued:
		n.QueuedAt = at
	case NotificationDelivered:
		n.DeliveredAt, n.InRun, n.Step = at, e.InRun, e.Step
	case NotificationWithdrawn:
		n.WithdrawnAt, n.WithdrawnBy = at, e.By
	case Consumed:
		r.Consumed = &Consumption{At: at, By: e.By, InRun: e.InRun, Call: e.Call}
		return
	default: // apply has sorted them
	}
	r.Notification = &n
}

func (r *Run) addWarning(at time.Time, w Warned) {
	r.warned, r.Warnings = r.warned.add(r.Warnings, w)
	if w.Kind == WarnLeftBehind && r.LeftAt.IsZero() {
		r.LeftAt = at
	}
	if w.Kind == WarnWorkerLost {
		r.displace(at)
	}
	if w.Kind == WarnFallback {
		r.Fallback = w.Model
	}
}

func dropped[T any](from []T, match func(T) bool) []T {
	rest := slices.DeleteFunc(slices.Clone(from), match)
	if len(rest) == 0 {
		return nil
	}
	return rest
}

// metadata is what stands on a tool call in a transcript.
type metadata struct {
	SubagentRun  *Run  `json:"subagent_run,omitempty"`
	SubagentRuns []Run `json:"subagent_runs,omitempty"` // later runs that a person started
}

// CallMetadata is the metadata of one agent call: the run it started and the
// later ones that stand on it, oldest first. Nil if it started none.
func CallMetadata(runs []Run) json.RawMessage {
	if len(runs) == 0 {
		return nil
	}
	return mustJSON(metadata{SubagentRun: &runs[0], SubagentRuns: runs[1:]})
}
