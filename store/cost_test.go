package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// spend lets a session of its own spend a sum at each of these moments, half of it by a subagent.
func spend(t testing.TB, s *Store, root lc.SessionID, cost float64, moments ...time.Time) {
	j := newJournal(t, root)
	run := lc.RunID(root + "/run")
	j.mark(root, run, lc.Spawned{Spec: lc.Spec{Root: root, Model: "demo"}}, lc.Started{})
	j.child("c")
	for range moments {
		j.mark(root, run, lc.UsageReported{Usage: lc.Usage{Cost: cost / 2}})
		j.mark(j.session("c"), j.id("c"), lc.UsageReported{Usage: lc.Usage{Cost: cost / 2}})
	}
	change, n := j.take(), 0
	for i, rec := range change.Records {
		change.Records[i].Time = moments[n/2]
		if _, paid := rec.Event.(lc.UsageReported); paid {
			n = min(n+1, 2*len(moments)-1)
		}
	}
	require.NoError(t, s.Append(t.Context(), []lc.Change{change}))
}

func costOf(t testing.TB, s *Store, at time.Time) lc.DayCost {
	t.Helper()
	cost, err := s.DayCost(t.Context(), at)
	require.NoError(t, err)
	return cost
}

func TestADayCostsWhatAllSessionsSpentOnItInItsOwnTimeZone(t *testing.T) {
	s := open(t, file(t))
	zone := time.FixedZone("Kathmandu", 5*3600+45*60)
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, zone)
	spend(t, s, "before", 1, midnight.Add(-time.Microsecond))
	spend(t, s, "over", 0.5, midnight.Add(-time.Hour), midnight, midnight.Add(time.Hour))
	spend(t, s, "after", 0.25, midnight.Add(24*time.Hour-time.Microsecond))
	spend(t, s, "unpriced", 0, midnight.Add(time.Hour))
	spend(t, s, "old", 7, midnight.AddDate(-1, 0, 0))
	require.Equal(t, lc.DayCost{Day: "2026-03-01", Cost: 1.5, Sessions: 2}, costOf(t, s, midnight.Add(-time.Hour)))
	require.Equal(t, lc.DayCost{Day: "2026-03-02", Cost: 1.25, Sessions: 2}, costOf(t, s, midnight))
	require.Equal(t, lc.DayCost{Day: "2026-03-02", Cost: 1.25, Sessions: 2}, costOf(t, s, midnight.Add(23*time.Hour)))
	require.Equal(t, lc.DayCost{Day: "2026-03-03"}, costOf(t, s, midnight.Add(24*time.Hour)))
	require.Equal(t, lc.DayCost{Day: "2025-03-02", Cost: 7, Sessions: 1}, costOf(t, s, midnight.AddDate(-1, 0, 0)), "a session counts to the day on which it ran")
	require.Equal(t, lc.DayCost{Day: "2026-03-01", Cost: 2.5, Sessions: 2}, costOf(t, s, midnight.UTC()), "in Greenwich it is still yesterday")
}

func TestADayWithAnHourMoreOrLessIsCountedWhole(t *testing.T) {
	s := open(t, file(t))
	zone, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	for _, date := range []int{29, 25} { // 23 hours, in March; 25, in October
		month := map[int]time.Month{29: time.March, 25: time.October}[date]
		first, next := time.Date(2026, month, date, 0, 0, 0, 0, zone), time.Date(2026, month, date+1, 0, 0, 0, 0, zone)
		require.NotEqual(t, 24*time.Hour, next.Sub(first))
		spend(t, s, lc.SessionID(fmt.Sprint("s", date)), 1, first, next.Add(-time.Microsecond), next)
		require.InDelta(t, 2, costOf(t, s, first).Cost, 1e-9)
	}
}

func TestWhatOneProcessSpendsAnotherSeesAtOnceAndSoDoesTheNext(t *testing.T) {
	path := file(t)
	one, two := open(t, path), open(t, path)
	reader := open(t, path, Options{ReadOnly: true})
	spend(t, one, "one", 1, epoch)
	require.Equal(t, lc.DayCost{Day: "2026-03-01", Cost: 1, Sessions: 1}, costOf(t, two, epoch))
	spend(t, two, "two", 0.5, epoch)
	require.Equal(t, lc.DayCost{Day: "2026-03-01", Cost: 1.5, Sessions: 2}, costOf(t, one, epoch))
	require.Equal(t, costOf(t, one, epoch), costOf(t, reader, epoch))
	require.Equal(t, costOf(t, one, epoch), costOf(t, reopen(t, one), epoch))
}

// Otherwise pawl rm would make room in the budget of the day.
func TestWhatIsSpentStaysSpentWhenASessionIsRemoved(t *testing.T) {
	path := file(t)
	s := open(t, path)
	const gone = "019cc0de-secret-session"
	spend(t, s, gone, 1, epoch, epoch.Add(time.Hour))
	spend(t, s, "stays", 2, epoch)
	before := costOf(t, s, epoch)
	require.NoError(t, s.Remove(t.Context(), gone))
	require.Equal(t, before, costOf(t, s, epoch))
	require.NoError(t, s.Close())
	require.NotContains(t, readFile(t, path), gone)
}

func TestARefusedAppendCostsNothing(t *testing.T) {
	s := open(t, file(t))
	spend(t, s, "one", 1, epoch)
	j := newJournal(t, "one").parent()
	j.mark("one", j.id("p1"), lc.UsageReported{Usage: lc.Usage{Cost: 5}})
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{j.take()}), ErrRefused, "these numbers are taken")
	require.InDelta(t, 1, costOf(t, s, epoch).Cost, 1e-9)
}

func TestADatabaseOfAnEarlierPawlKnowsWhatItsDaysHaveCost(t *testing.T) {
	path := file(t)
	s := open(t, path)
	spend(t, s, "one", 1, epoch, epoch.AddDate(0, 0, 1))
	spend(t, s, "two", 0.5, epoch)
	want := []lc.DayCost{costOf(t, s, epoch), costOf(t, s, epoch.AddDate(0, 0, 1))}
	_, err := s.write.ExecContext(t.Context(), `DROP TABLE costs; DROP INDEX records_change; ALTER TABLE records DROP COLUMN request; PRAGMA user_version = 2`)
	require.NoError(t, err)
	s = reopen(t, s)
	require.Equal(t, want, []lc.DayCost{costOf(t, s, epoch), costOf(t, s, epoch.AddDate(0, 0, 1))})
}

// A day is added up before each step, so that may not depend on how long the log is.
func TestCostOfADayReadsItsOwnRowsAlone(t *testing.T) {
	s := open(t, file(t))
	rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+dayCostSQL, 0, 1)
	require.NoError(t, err)
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		plan = append(plan, step)
	}
	require.NoError(t, rows.Err())
	require.Contains(t, plan, "SEARCH costs USING PRIMARY KEY (quarter>? AND quarter<?)")
}

// Ten busy sessions all day long, and ten years of such days before.
func BenchmarkDayCost(b *testing.B) {
	s := open(b, file(b))
	_, err := s.write.ExecContext(b.Context(), `WITH RECURSIVE q(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM q WHERE n < 350399)
		INSERT INTO costs SELECT ? - q.n, 's' || r.n, 0.01 FROM q, (SELECT n FROM q LIMIT 10) r`, quarterOf(epoch))
	require.NoError(b, err)
	for b.Loop() {
		_, err := s.DayCost(b.Context(), epoch)
		require.NoError(b, err)
	}
}
