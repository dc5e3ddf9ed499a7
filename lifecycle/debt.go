package lifecycle

import "slices"

// Every end is told to its parent once. A call that waits for a run tells its end,
// and so does one that stops it; where neither does, for whatever reason, the end
// owes a notification like that of a run in the background.

// leaveBehind sees to the runs that a call waited for, once it has its result: what
// that did not tell is owed. The lock is held.
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

// resolveNotifications sees to the subagents of a parent whose run has ended, and with it
// all who could tell their ends. Calls that it leaves without a result get theirs
// in its next run: they tell what they waited for. before is the parent's run
// before its end. The lock is held.
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

// queueNotification marks that the end of a run is owed to its parent, unless somebody told it
// or will. The lock is held.
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
