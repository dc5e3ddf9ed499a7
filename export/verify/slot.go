package verify

import "pawl/lifecycle"

// pool counts the subagents that work in a pool, and those that wait for it, in their order. One
// at home that is overdue holds no slot of either kind, and one whose end could not be recorded
// none either.
func (a *audit) pool(pool lifecycle.SlotPool, at lifecycle.Record) (working, waiting []lifecycle.RunID) {
	for _, id := range a.open {
		run := a.runs[id]
		switch {
		case !run.Subagent() || run.SlotPool() != pool:
		case run.State == lifecycle.StateQueued:
			waiting = append(waiting, id)
		case run.HoldsSlot() && (id == at.Run || !a.givenUp(run, at)):
			working = append(working, id)
		}
	}
	return working, waiting
}

// slots: no more runs work in the background, or on other machines, at once than the limits allow.
func (a *audit) slots(t *transition) {
	switch t.rec.Event.(type) {
	case lifecycle.Started, lifecycle.Detached:
	default:
		return
	}
	pool := t.after.SlotPool()
	if !t.after.Subagent() || pool == lifecycle.PoolForeground {
		return
	}
	where := "in the background"
	if pool == lifecycle.PoolRemote {
		where = "on other machines"
	}
	working, _ := a.pool(pool, t.rec)
	if limit := a.src.Limits(t.rec.Seq).Of(pool); len(working) > limit {
		a.fault(promiseSlots, t.rec.Run, "", "it is number %d %s at once, but the limit is %d", len(working), where, limit)
	}
}

// line: who waits for a slot gets it in turn. It says the same of the foreground, which has
// a limit of its own, and how many may wait.
func (a *audit) line(t *transition) {
	switch t.rec.Event.(type) {
	case lifecycle.Spawned, lifecycle.Queued, lifecycle.Started:
	default:
		return
	}
	run, limits := t.after, a.src.Limits(t.rec.Seq)
	if !run.Subagent() {
		return
	}
	fault := func(format string, args ...any) { a.fault(promiseLine, run.ID, "", format, args...) }
	working, waiting := a.pool(run.SlotPool(), t.rec)
	switch e := t.rec.Event.(type) {
	case lifecycle.Spawned:
		// A message that was accepted gets its run, however long the line; a launch is refused.
		if run.Background && run.Trigger == lifecycle.TriggerAgent && len(waiting) > limits.Queue {
			fault("%d are queued before it, but the limit is %d", len(waiting)-1, limits.Queue)
		}
	case lifecycle.Queued:
		if e.Position != len(waiting) {
			fault("it is recorded as number %d in line, but is number %d", e.Position, len(waiting))
		}
	case lifecycle.Started:
		if run.SlotPool() == lifecycle.PoolForeground && run.OverdueAt.IsZero() && len(working) > limits.Foreground {
			fault("it is number %d in the foreground at once, but the limit is %d", len(working), limits.Foreground)
		}
		if first := a.firstOf(waiting, run.ID); first != "" {
			fault("it began before run %s, which was before it in line", a.name(first))
		}
	default:
	}
}

// firstOf is the one of them that was spawned before this run, if any was.
func (a *audit) firstOf(waiting []lifecycle.RunID, id lifecycle.RunID) lifecycle.RunID {
	if len(waiting) == 0 {
		return ""
	}
	for _, other := range a.open { // in the order in which they were spawned
		switch other {
		case id:
			return ""
		case waiting[0]:
			return other
		}
	}
	return ""
}
