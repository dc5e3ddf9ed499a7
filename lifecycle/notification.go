package lifecycle

import (
	"slices"
	"time"
)

// Notice is what a parent's model is told when a run of its own has ended: the
// body of a notification entry. Only the supervisor writes one, so nobody can
// type it; agent words it for the model.
type Notice struct {
	Kind        Kind          `json:"kind,omitempty"`
	From        string        `json:"from,omitempty"` // FromUser: a command of the user's own
	Agent       SessionID     `json:"agent_id"`       // of a shell: its shell_id
	Run         RunID         `json:"run_id"`
	Call        CallID        `json:"call"`
	Description string        `json:"description"`
	State       State         `json:"status"`
	Cause       Cause         `json:"cause,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Error       *Failure      `json:"error,omitempty"`
	Command     string        `json:"command,omitempty"`   // of a shell
	ExitCode    *int          `json:"exit_code,omitempty"` // of the run's own process
	Worktree    *Worktree     `json:"worktree,omitempty"`
	Remaining   int           `json:"remaining"` // subagents and shells of the same parent that have not ended
	Result      string        `json:"result"`    // the final text, or what there was of it
	Partial     bool          `json:"partial"`   // Result is not final
	Last        string        `json:"last_tool,omitempty"`
	Denials     []Denial      `json:"denials,omitempty"` // of that run
	Unread      int           `json:"unread,omitempty"`  // as Run.Unread
	Usage       Usage         `json:"usage"`
	Elapsed     time.Duration `json:"elapsed_ns"`
}

// notice words what is owed about an ended run.
func notice(r Run, remaining int) Notice {
	from := ""
	if r.UserShell() {
		from = r.From
	}
	return Notice{
		Kind: r.Kind, From: from, Command: r.Command, ExitCode: r.ExitCode, Worktree: r.Worktree,
		Agent: r.Session, Run: r.ID, Call: r.Call, Description: r.Description,
		State: r.State, Cause: r.Cause, Reason: r.Reason, Error: r.Error,
		Remaining: remaining, Result: r.Output(), Partial: r.Result == "",
		Last: r.LastTool, Denials: r.Denials, Unread: r.Unread, Usage: r.Usage, Elapsed: r.Elapsed(r.EndedAt),
	}
}

// entry is the notice as it stands in the parent's transcript.
func (n Notice) entry(parent SessionID, in RunID) Entry {
	return Entry{Session: parent, Run: in, Kind: EntryNotification, Source: n.Run, Body: mustJSON(n)}
}

// Every end is reported to its parent once: by the call that waits for the run or stops it,
// else by a notification, as for a run in the background.

// leaveBehind is called once a call has its result. The ends of runs that the call waited
// for, and that the result does not report, are owed from then on. The lock is held.
func (s *Supervisor) leaveBehind(d *tx, parent SessionID, call CallID) error {
	for _, id := range d.t.open {
		if run := d.run(id); run.Parent == parent && run.Call == call {
			if err := s.queueNotification(d, run); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolveNotifications queues notifications for the subagents of a parent whose run has
// ended, because no call is left to report them. Calls without a result get it in the
// parent's next run and report what they waited for. before is the parent's run before its
// end. The lock is held.
func (s *Supervisor) resolveNotifications(d *tx, before Run) error {
	for _, id := range d.t.open {
		run := d.run(id)
		awaited := slices.ContainsFunc(before.Tools, func(open OpenTool) bool { return open.Call == run.Call })
		if run.Parent != before.Session || awaited && run.ParentRun == before.ID && !run.Owes() {
			continue
		}
		if err := s.queueNotification(d, run); err != nil {
			return err
		}
	}
	return nil
}

// queueNotification marks that the end of a run is owed to its parent, unless it was reported
// or will be. The lock is held.
func (s *Supervisor) queueNotification(d *tx, run Run) error {
	h := d.t.runs[run.ID]
	switch {
	case run.told() || h.lost || run.forgotten():
		return nil
	case run.State.Terminal() && h.told == 0:
		return d.apply(run.Session, run.ID, NotificationQueued{})
	case run.State.Terminal() || run.Owes():
		return nil
	}
	return d.apply(run.Session, run.ID, Warned{
		Kind: WarnLeftBehind, Message: "the call that waited for it came back before its end, which will be told",
	})
}
