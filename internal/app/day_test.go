package app

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/store"
)

// paid is a model whose every answer costs a dollar.
type paid struct{ asked int }

func (p *paid) Stream(context.Context, agent.Request, func(agent.Delta)) (agent.Response, error) {
	p.asked++
	said := agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "done"}}}
	return agent.Response{Stop: agent.StopEnd, Message: said, Usage: lifecycle.Usage{OutputTokens: 1_000_000}}, nil
}

// day is one process with one session, over a database that it may share.
type day struct {
	t     *testing.T
	root  lifecycle.SessionID
	model paid
	db    *store.Store
	s     *lifecycle.Supervisor
}

func openDay(t *testing.T, path string, root lifecycle.SessionID, info agent.ModelInfo) *day {
	d := &day{t: t, root: root}
	var err error
	d.db, err = store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	loop := agent.Loop{
		Resolve: func(string) (agent.Provider, string, error) { return &d.model, "m", nil },
		Info:    func(string) agent.ModelInfo { return info },
		Entries: d.db.Entries,
		Kit: func(context.Context, lifecycle.Run) (agent.Kit, error) {
			today := func(ctx context.Context) (lifecycle.DayCost, error) { return d.db.DayCost(ctx, time.Now()) }
			return agent.Kit{Budget: agent.Budget{Day: 5}, Today: today}, nil
		},
	}
	work := func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome { return loop.Work(ctx, port) }
	d.s = lifecycle.New(lifecycle.Options{Journal: d.db, Work: work, Limits: lifecycle.DefaultLimits(), Attended: true})
	_, err = d.s.Open(t.Context(), root, lifecycle.Spec{Model: "test/m"})
	require.NoError(t, err)
	return d
}

// say starts a run and returns it when it has ended.
func (d *day) say(text string) lifecycle.Run {
	_, err := d.s.Do(d.t.Context(), lifecycle.Send{Session: d.root, Text: text})
	require.NoError(d.t, err)
	ctx, done := context.WithCancel(d.t.Context())
	defer done()
	var last lifecycle.Run
	require.ErrorIs(d.t, d.s.Watch(ctx, d.root, 0, func(lifecycle.Updates) {
		snap, err := d.s.Snapshot(d.root)
		require.NoError(d.t, err)
		if last = snap.Runs[len(snap.Runs)-1]; last.State.Terminal() {
			done()
		}
	}), context.Canceled)
	return last
}

func (d *day) close() {
	require.NoError(d.t, d.s.Close(context.Background(), lifecycle.CauseQuit))
	require.NoError(d.t, d.db.Close())
}

const dayUsedUp = "today's budget is used up: $5.00 of $5.00 over 2 sessions (raise limits.day_max_cost, or wait until midnight)"

func TestADaysLimitBindsAllProcessesUntilMidnight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path, dollar := filepath.Join(t.TempDir(), "data", "pawl.db"), agent.ModelInfo{Prices: agent.Prices{Output: 1}}
		one, two := openDay(t, path, "one", dollar), openDay(t, path, "two", dollar)
		for range 3 {
			require.Equal(t, lifecycle.StateCompleted, one.say("go").State)
		}
		require.Empty(t, two.say("go").Warnings)
		require.Equal(t, "80 % of today's budget is used: $4.00 of $5.00 over 2 sessions (limits.day_max_cost)", two.say("go on").Warnings[0].Message)
		for _, d := range []*day{one, two} {
			run := d.say("and on")
			require.Equal(t, lifecycle.StateFailed, run.State)
			require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailBudget, Message: dayUsedUp}, run.Error)
		}
		one.close()
		one = openDay(t, path, "one", dollar)
		require.Equal(t, dayUsedUp, one.say("once more").Error.Message, "a restart does not help")

		now := time.Now()
		midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.Local)
		<-time.After(midnight.Sub(now) - time.Millisecond)
		require.Equal(t, lifecycle.StateFailed, two.say("still today").State)
		<-time.After(time.Millisecond)
		require.Equal(t, lifecycle.StateCompleted, two.say("a new day").State)
		require.Equal(t, lifecycle.StateCompleted, one.say("for me too").State)
		one.close()
		two.close()
	})
}

func TestAModelWithoutAPriceCountsNothingAgainstTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "data", "pawl.db")
		d := openDay(t, path, "one", agent.ModelInfo{})
		defer d.close()
		for range 7 {
			run := d.say("go")
			require.Equal(t, lifecycle.StateCompleted, run.State)
			require.Contains(t, run.Warnings[0].Message, "the price of test/m is not known")
		}
	})
}
