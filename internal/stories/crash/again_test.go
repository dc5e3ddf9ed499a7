package crash

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// relapse is a crash while Pawl comes back from one.
type relapse struct {
	first  string // the point of the first crash
	record string // that the way back writes
	side   string
}

func (r relapse) String() string {
	return r.first + " then " + r.side + "." + r.record
}

// relapses walk through the way back: what was open is ended, in one transaction;
// the user's prompt starts a run; open calls are answered; the parent is told; it
// answers. Records that share a transaction are killed on every side by the long
// programme alone.
func relapses() (list []relapse) {
	busy, early := "after.message_queued@1", "after.spawned@3"
	for _, r := range []relapse{
		{first: busy, record: "message_withdrawn"},
		{first: busy, record: "ended", side: "all"},
		{first: busy, record: "notification_queued"},
		{first: busy, record: "spawned", side: "all"},
		{first: busy, record: "tool_ended", side: "all"},
		{first: busy, record: "step_started"},
		{first: busy, record: "notification_delivered", side: "all"},
		{first: busy, record: "consumed"},
		{first: busy, record: "usage"},
		{first: early, record: "notification_withdrawn"},
	} {
		all := soaktest.Wanted() || r.side == "all"
		for _, side := range sides {
			if all || side == "inside" {
				list = append(list, relapse{r.first, r.record, side})
			}
		}
	}
	return list
}

func TestKilledWhileItComesBackPawlLosesNothingEither(t *testing.T) {
	t.Parallel()
	var b table
	var keys []string
	for _, r := range relapses() {
		keys = append(keys, r.String())
	}
	together(t, relapses(), relapse.String, func(t *testing.T, r relapse) {
		w := newCrashCase(t, newWorkday().answer)
		require.True(t, w.crash("store."+strings.Replace(r.first, "@", "=kill@", 1), "--permission-mode", "bypass", "-p", "begin"), "the first crash")
		require.True(t, w.crash("store."+r.side+"."+r.record+"=kill", "--continue", "-p", goOn), "the second crash")
		w.returns()
		w.doneOnce()
		runs, words := states(w.inspect())
		b.put(r.String(), r.first, r.side+" "+r.record, "reached", runs, words, "sound")
	})
	soaktest.Tried(t, 2*len(keys), "kills, each second one on the way back from the first")
	b.print(t, keys, "first crash", "crash on the way back", "", "after the second return", "notified = delivered + withdrawn", "")
}

// crashSomewhere kills the prompt, with all that belongs to it, at the n-th thing
// that the model server hears or says, and a moment later.
func (w *crashCase) crashSomewhere(n, moment int, points string, args ...string) (killed bool) {
	w.t.Helper()
	var events, group atomic.Int64
	w.Server.OnEvent(func() {
		if events.Add(1) != int64(n) {
			return
		}
		for range moment {
			runtime.Gosched()
		}
		if pid := group.Load(); pid != 0 {
			_ = syscall.Kill(-int(pid), syscall.SIGKILL)
		}
	})
	defer w.Server.OnEvent(nil)
	return w.play(func(pid int) { group.Store(int64(pid)) }, points, args...)
}

// somewhere is one random crash: where, and where again on the way back.
type somewhere struct {
	seed      uint64
	n, moment int
	again     string // a fail point of the way back; empty for none
}

// events is about how many things the server hears and says in a workday.
const events = 170

// wayBack are the records that a return can write.
var wayBack = []string{
	"message_withdrawn", "ended", "notification_queued", "spawned", "started", "tool_ended", "step_started",
	"notification_delivered", "notification_withdrawn", "consumed", "text", "usage",
}

func anywhere(seed uint64) somewhere {
	r := rand.New(rand.NewPCG(seed, 20))
	c := somewhere{seed: seed, n: 1 + r.IntN(events), moment: r.IntN(3000)}
	if r.IntN(2) == 0 {
		c.again = fmt.Sprintf("store.%s.%s=kill@%d", sides[r.IntN(3)], wayBack[r.IntN(len(wayBack))], 1+r.IntN(2))
	}
	return c
}

func (c somewhere) String() string { return fmt.Sprintf("seed %d", c.seed) }

func TestKilledAtAnyMomentPawlLosesNothingAndRunsNothingAgain(t *testing.T) {
	t.Parallel()
	var crashes []somewhere
	for _, seed := range soaktest.Seeds(t, 12, 3000) {
		crashes = append(crashes, anywhere(seed))
	}
	var killed, again, told, acknowledged atomic.Int64
	together(t, crashes, somewhere.String, func(t *testing.T, c somewhere) {
		soaktest.Again(t, c.seed)
		w := newCrashCase(t, newWorkday().answer)
		if w.crashSomewhere(c.n, c.moment, "", "--permission-mode", "bypass", "-p", "begin") {
			killed.Add(1)
		}
		if _, begun := w.session(); begun && c.again != "" && w.crash(c.again, "--continue", "-p", goOn) {
			again.Add(1)
		}
		w.returns()
		w.doneOnce()
		doc := w.inspect()
		acknowledged.Add(int64(w.heard))
		told.Add(int64(recorded(doc.Records)["notification_delivered"] + recorded(doc.Records)["notification_withdrawn"]))
	})
	t.Logf("%d random crashes, %d of them again on the way back: %d requests were acknowledged, none lost; %d notifications, each once",
		killed.Load(), again.Load(), acknowledged.Load(), told.Load())
	soaktest.Tried(t, int(killed.Load()+again.Load()), "kills at any moment")
	soaktest.Tried(t, int(acknowledged.Load()), "requests acknowledged before a kill")
	soaktest.Tried(t, int(told.Load()), "notifications, each of which must come once")
	require.GreaterOrEqual(t, int(killed.Load()), len(crashes)/2, "too few of the crashes came in time")
}
