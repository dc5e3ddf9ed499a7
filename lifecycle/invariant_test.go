package lifecycle

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
)

// reading folds a log as it grows, and holds every record of it against the
// design.
type reading struct {
	runs    map[RunID]Run
	order   []RunID
	lost    map[RunID]bool                // their ends could not be saved
	settled map[MessageID]string          // what was taken in or withdrawn, and with which words
	open    map[SessionID]map[CallID]bool // calls without a result
	asked   map[RunID]map[CallID]bool     // calls about which somebody was asked
	spoken  map[RunID]bool                // the parent's model has spoken to it, or its word waits for it
	woken   int                           // wake-ups since the user wrote
	wakes   int                           // wake-ups read in the last go
	seq     Seq
}

func newReading() *reading {
	return &reading{runs: map[RunID]Run{}, lost: map[RunID]bool{}, settled: map[MessageID]string{}, open: map[SessionID]map[CallID]bool{}, asked: map[RunID]map[CallID]bool{}, spoken: map[RunID]bool{}}
}

// read takes in what is new.
func (g *reading) read(t tester, records []Record, limits Limits) {
	g.wakes = 0
	for _, rec := range records[g.seq:] {
		require.Equal(t, g.seq+1, rec.Seq, "the numbering has no gap")
		g.seq = rec.Seq
		before := g.runs[rec.Run]
		after, err := before.Apply(rec)
		require.NoError(t, err)
		if before.ID == "" {
			g.order = append(g.order, rec.Run)
		}
		switch rec.Event.(type) {
		case Started:
			g.first(t, before)
		case Ended:
			delete(g.lost, rec.Run) // a later process has found it
		}
		g.runs[rec.Run] = after
		require.GreaterOrEqual(t, after.Elapsed(rec.Time), time.Duration(0))
		g.message(t, rec)
		g.call(t, rec)
		g.wake(t, rec)
		g.within(t, limits)
	}
}

// first says that the run is the first of its line.
func (g *reading) first(t tester, run Run) {
	for _, id := range g.order {
		if id == run.ID {
			return
		}
		other := g.runs[id]
		ahead := other.State == StateQueued && other.Subagent() && other.SlotPool() == run.SlotPool()
		require.False(t, ahead && run.Subagent(), "run %s started before %s", run.ID, id)
	}
}

// call says that each tool call has its result before the next model request.
func (g *reading) call(t tester, rec Record) {
	if g.open[rec.Session] == nil {
		g.open[rec.Session] = map[CallID]bool{}
	}
	switch e := rec.Event.(type) {
	case PermissionAsked:
		if asked := g.asked[rec.Run]; g.runs[rec.Run].Remote() {
			require.False(t, asked[e.Call], "record %d asks about call %s again", rec.Seq, e.Call)
			put(&asked, e.Call, true)
			g.asked[rec.Run] = asked
		}
	case ToolStarted:
		g.open[rec.Session][e.Call] = true
	case ToolEnded:
		delete(g.open[rec.Session], e.Call)
	case StepStarted:
		require.Empty(t, g.open[rec.Session], "record %d: calls without a result in a model request", rec.Seq)
	}
}

func (g *reading) message(t tester, rec Record) {
	settle := func(id MessageID, text string) {
		require.NotContains(t, g.settled, id, "a message is taken in or withdrawn once")
		g.settled[id] = text
	}
	switch e := rec.Event.(type) {
	case MessageQueued:
		g.spoken[rec.Run] = g.spoken[rec.Run] || e.From == FromAgent
	case MessageTaken:
		settle(e.Message, e.Text)
	case MessageWithdrawn:
		settle(e.Message, e.Text)
	}
}

// wake counts how often the parent woke itself, and says that there was reason to.
func (g *reading) wake(t tester, rec Record) {
	if rec.Session != root {
		return
	}
	switch e := rec.Event.(type) {
	case Spawned:
		if e.Trigger == TriggerNotification {
			wait, wakes := g.calling(rec.Time)
			require.True(t, wakes, "record %d: the parent was woken for what waits for its user", rec.Seq)
			require.LessOrEqual(t, wait, time.Duration(0), "record %d: the parent was woken before what a person stopped was gathered", rec.Seq)
		}
		if e.Trigger == TriggerCompact {
			return // nobody wrote, and nobody was woken
		}
		g.woken++
		g.wakes++
		if e.Trigger != TriggerNotification {
			g.woken = 0
			g.wakes--
		}
	case MessageQueued:
		g.woken = 0
	}
}

// calling says whether an end that is owed to the parent is to wake it, and in which time.
// An end that a person caused waits for the others of that kind, but for no other.
func (g *reading) calling(at time.Time) (wait time.Duration, wakes bool) {
	for _, run := range g.runs {
		stopped := run.State == StateCanceledByUser && (run.Cause == CauseKey || run.Cause == CauseCommand)
		switch {
		case run.Parent != root || !run.Notification.Pending() || g.lost[run.ID] || run.UserShell():
		case run.Subagent() && run.Trigger == TriggerMessage && run.From == FromUser && !g.spoken[run.ID]:
		case !stopped:
			return 0, true
		default:
			wait, wakes = max(wait, run.EndedAt.Add(3*time.Second).Sub(at)), true
		}
	}
	return wait, wakes
}

// within says that no more run than there are slots.
func (g *reading) within(t tester, limits Limits) {
	slots := map[SlotPool]int{}
	for id, run := range g.runs {
		if run.Subagent() && run.State == StateRunning && !g.lost[id] {
			slots[run.SlotPool()]++
		}
	}
	require.LessOrEqual(t, slots[PoolBackground], limits.Background, "record %d: more background runs than slots", g.seq)
	require.LessOrEqual(t, slots[PoolRemote], limits.Remote, "record %d: more remote runs than slots", g.seq)
}

// agrees says that the index and the transcript are what the log says.
func (g *reading) agrees(t tester, journal *memory) {
	require.Len(t, journal.runs, len(g.runs))
	for id, run := range g.runs {
		require.Equal(t, bare(run), bare(journal.runs[id]), "the index agrees with the log")
	}
	told, results := map[RunID]int{}, map[CallID]int{}
	for _, e := range journal.entries {
		switch e.Kind {
		case EntryNotification:
			told[e.Source]++
		case EntryToolResult:
			results[e.Call]++
			require.Equal(t, 1, results[e.Call], "call %s has one result", e.Call)
		}
	}
	for id, run := range g.runs {
		want := 0
		if run.Notification != nil && run.Notification.InRun != "" {
			want = 1
		}
		require.Equal(t, want, told[id], "run %s: delivered, and told of, once", id)
		require.Equal(t, want == 1, run.Consumed != nil && run.Consumed.By == ByNotification, "run %s: consumed by what told it", id)
		require.False(t, run.Consumed != nil && run.Notification.Pending(), "run %s: read, and still owed", id)
	}
}

// bare is a run without what it shares with its other values.
func bare(r Run) Run {
	r.prose, r.warned, r.denied = nil, nil, nil
	return r
}

// sound checks the invariants that every log must keep.
func (st *stage) sound() {
	st.t.Helper()
	g := newReading()
	g.read(st.t, st.journal.records, st.s.options.Limits)
	g.agrees(st.t, st.journal)
}

// check holds the harness against its model, after an act.
func (th *harness) check() {
	if th.healthy() && th.faults > th.healed {
		th.pass(3 * retryAfter)
		th.healed = th.faults
	}
	runs := th.all()
	for _, r := range runs {
		if r.lost {
			th.log.lost[r.ID] = true
		}
	}
	th.log.read(th.t, th.journal.records, small)
	th.log.agrees(th.t, th.journal)
	th.folded()
	th.witness()
	asked := slices.ContainsFunc(runs, func(r seen) bool { return len(r.Asked) > 0 })
	require.False(th.t, th.log.wakes > 0 && (th.held || th.reopened || asked), "the parent was woken when it is not safe")
	th.ends(runs)
	th.shells(runs)
	th.kept()
	if th.healthy() && !th.closed {
		th.manned(runs)
		th.moving(runs)
		th.owed(runs)
	}
}

// ends says that runs ended as they had to, and that their parents are told.
func (th *harness) ends(runs []seen) {
	parent := seen{}
	for _, r := range runs {
		if !r.Child() {
			parent = r
		}
	}
	idle := parent.State.Terminal() && !parent.lost
	for _, r := range runs {
		if r.lost || !r.State.Terminal() {
			continue
		}
		if want, ok := th.want[r.ID]; ok {
			require.Equal(th.t, want, r.State, "the end of run %s", r.ID)
		}
		if !r.Child() || r.forgotten() {
			continue
		}
		if r.Owes() && r.State != StateCanceledByAgent {
			require.NotNil(th.t, r.Notification, "run %s owes word of its end", r.ID)
		}
		if r.Parent == root && (th.faults == 0 || idle) && !th.log.open[root][r.Call] {
			require.True(th.t, r.told(), "run %s, %s: nobody tells its end", r.ID, r.State)
		}
		if r.State == StateCanceledByAgent && r.Notification != nil && th.faults == 0 {
			require.False(th.t, r.Consumed != nil && r.Consumed.By == ByAgentStop && r.Notification.InRun != "", "run %s is told twice", r.ID)
		}
	}
}

// shells says that no shell outlives what it was started for, and that no more of
// them run than may.
func (th *harness) shells(runs []seen) {
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	running := 0
	for _, r := range runs {
		if !r.Shell() || r.State.Terminal() {
			continue
		}
		if r.UserShell() {
			continue // it ends when its user wants that
		}
		running++
		t := th.s.trees[root]
		if owner := t.Run(r.ParentRun); r.of(owner) && owner.State.Terminal() {
			require.Error(th.t, t.runs[r.ID].ctx.Err(), "shell %s goes on after run %s", r.ID, r.ParentRun)
		}
	}
	require.LessOrEqual(th.t, running, small.Shells)
}

// kept says that nothing acknowledged is lost.
func (th *harness) kept() {
	snap, err := th.s.Snapshot(root)
	require.NoError(th.t, err)
	waiting := map[MessageID]string{}
	for _, inbox := range snap.Inbox {
		for _, m := range inbox {
			waiting[m.ID] = m.Text
		}
	}
	for id, text := range th.texts {
		had, settled := th.log.settled[id]
		now, waits := waiting[id]
		require.True(th.t, settled != waits, "message %s waits, or was settled", id)
		if waits && text != "" {
			require.Equal(th.t, text, now)
		} else if had != "" && text != "" {
			require.Equal(th.t, text, had)
		}
	}
	for _, id := range th.prompts {
		require.Contains(th.t, th.log.runs, id)
	}
}

// manned says that who works is at work, and nobody else.
func (th *harness) manned(runs []seen) {
	th.guard.Lock()
	defer th.guard.Unlock()
	working := 0
	for _, r := range runs {
		if r.State == StateRunning {
			working++
			if r.Remote() {
				require.Contains(th.t, th.far, r.ID, "run %s is running, and no process works at it", r.ID)
			}
			require.Contains(th.t, th.workers, r.ID, "run %s is running, and nobody works on it", r.ID)
		}
	}
	require.Len(th.t, th.workers, working, "somebody works on a run that is not running")
	for id := range th.far {
		require.Contains(th.t, th.workers, id, "a process works at a run that nobody drives")
	}
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	for id, h := range th.s.trees[root].runs {
		require.True(th.t, h.lost || h.run.Seq == h.saved.Seq, "run %s has records that are not on their way", id)
	}
}

// moving says that no line stands while a slot is free, and no queue while its
// session is idle.
func (th *harness) moving(runs []seen) {
	for _, pool := range SlotPools() {
		running, queued, limit := 0, 0, small.Of(pool)
		for _, r := range runs {
			switch {
			case !r.Subagent() || r.SlotPool() != pool:
			case r.HoldsSlot(), r.lost && r.Remote():
				running++
			case r.State == StateQueued:
				queued++
			}
		}
		require.False(th.t, queued > 0 && running < limit, "%d wait and %d of %d slots are taken", queued, running, limit)
	}
	snap, err := th.s.Snapshot(root)
	require.NoError(th.t, err)
	for session := range snap.Inbox {
		latest := runs[len(runs)-1-slices.IndexFunc(backward(runs), func(r seen) bool { return r.Session == session })]
		require.True(th.t, latest.lost || !latest.State.Terminal(), "messages wait for session %s, which is idle", session)
	}
}

func backward(runs []seen) []seen {
	runs = slices.Clone(runs)
	slices.Reverse(runs)
	return runs
}

// owed says that an idle parent is not left in the dark.
func (th *harness) owed(runs []seen) {
	var parent Run
	asked := 0
	stopped, unable := false, false
	for _, r := range runs {
		if !r.Child() {
			parent = r.Run
			if parent.Trigger != TriggerCompact { // it does not hide what was before it
				stopped, unable = false, false
			}
			stopped = stopped || parent.State == StateCanceledByUser || !parent.StopRequestedAt.IsZero()
			unable = unable || parent.State == StateFailed && parent.Step == 0
		}
		asked += len(r.Asked) // a lost run asks nobody any more
	}
	if parent.State.Terminal() && th.faults == 0 {
		for _, r := range runs {
			require.False(th.t, r.Parent == root && r.UserShell() && r.Notification.Pending(), "an idle parent has not read the command %s of its user", r.ID)
		}
	}
	safe := !th.held && !th.reopened && !stopped && !unable && asked == 0 && th.log.woken < small.AutoResumes
	wait, wakes := th.log.calling(now())
	require.False(th.t, parent.State.Terminal() && safe && wakes && wait <= 0, "ends are owed to an idle parent")
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	if waking := th.s.trees[root].waking; parent.State.Terminal() {
		require.Equal(th.t, safe && wakes, waking, "who watches is told whether the parent is about to be woken")
	}
}
