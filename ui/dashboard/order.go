package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
)

// Order is by what the rows are sorted: by need, until somebody wants another one.
type Order int

const (
	byNeed Order = iota
	byStart
	byName
	byType
	byElapsed
	byTokens
	byCost
	orders
)

var orderWords = [orders]sanitize.Text{
	byNeed: "by need", byStart: "by start", byName: "by name", byType: "by type",
	byElapsed: "by time", byTokens: "by tokens", byCost: "by cost",
}

// sort orders rows that stand as first spawned: so do those that are alike stay. What is most
// stands first, of figures; of what has ended, the newest end.
func (o Order) sort(rows []row, now time.Time) {
	most := func(of func(*row) float64) {
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(of(&b), of(&a)) })
	}
	switch o {
	case byStart, orders:
	case byNeed:
		slices.SortStableFunc(rows, func(a, b row) int {
			if a.need != b.need {
				return cmp.Compare(a.need, b.need)
			}
			return b.run.EndedAt.Compare(a.run.EndedAt)
		})
	case byName:
		slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(string(a.name), string(b.name)) })
	case byType:
		slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.run.Type, b.run.Type) })
	case byElapsed:
		most(func(r *row) float64 { return float64(r.elapsed(now)) })
	case byTokens:
		most(func(r *row) float64 { return float64(r.usage.Tokens()) })
	case byCost:
		most(func(r *row) float64 { return r.usage.Cost })
	}
}

// keep keeps the rows in which each of some words is.
func keep(rows []row, words string) []row {
	parts := strings.Fields(strings.ToLower(words))
	if len(parts) == 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(r row) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(r.sought, part) })
	})
}
