package store

import (
	"context"
	"crypto/rand"
	"time"

	"pawl/lifecycle"
)

const (
	addCostSQL = `INSERT INTO costs (quarter, root, cost) VALUES (?, ?, ?)
		ON CONFLICT (quarter, root) DO UPDATE SET cost = cost + excluded.cost`

	dayCostSQL = `SELECT total(cost), count(DISTINCT root) FROM costs WHERE quarter >= ? AND quarter < ?`

	hideCostsSQL = `UPDATE costs SET root = ? WHERE root = ?`
)

// quarter is the unit of time in which costs are kept.
const quarter = 15 * time.Minute

// costKey is a row of what sessions cost.
type costKey struct {
	quarter int64 // since 1970
	root    lifecycle.SessionID
}

// quarterOf counts the quarters of an hour before a moment, since 1970.
func quarterOf(at time.Time) int64 { return at.UnixMicro() / quarter.Microseconds() }

// addCost adds what a record says that its run has cost.
func (b *batch) addCost(rec lifecycle.Record) {
	if used, is := rec.Event.(lifecycle.UsageReported); is && used.Cost > 0 {
		b.costs[costKey{quarterOf(rec.Time), rec.Root}] += used.Cost
	}
}

func (t *transaction) addCosts(costs map[costKey]float64) error {
	for key, cost := range costs {
		if _, err := t.exec(addCostSQL, key.quarter, string(key.root), cost); err != nil {
			return err
		}
	}
	return nil
}

// hideCosts takes the name of a session from its costs, which stay.
func (t *transaction) hideCosts(root lifecycle.SessionID) error {
	_, err := t.exec(hideCostsSQL, "removed-"+rand.Text(), string(root))
	return err
}

// DayCost returns what all sessions have cost in the calendar day of a moment, in that
// moment's time zone. It sees what every process has written until now, and reads only the
// rows of that day.
func (s *Store) DayCost(ctx context.Context, at time.Time) (lifecycle.DayCost, error) {
	year, month, day := at.Date()
	first := time.Date(year, month, day, 0, 0, 0, 0, at.Location())
	next := time.Date(year, month, day+1, 0, 0, 0, 0, at.Location())
	cost := lifecycle.DayCost{Day: first.Format(time.DateOnly)}
	err := s.read.QueryRowContext(ctx, dayCostSQL, quarterOf(first), quarterOf(next)).Scan(&cost.Cost, &cost.Sessions)
	return cost, s.fault(ctx, "add up what "+cost.Day+" has cost", err)
}
