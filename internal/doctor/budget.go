package doctor

import (
	"context"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// examineBudget reports what of the limit for a day is used. Without such a limit it is silent.
func (e *Examination) examineBudget(ctx context.Context) {
	most := e.settings.Limits.DayMaxCost
	if most <= 0 {
		return
	}
	today := lifecycle.DayCost{Day: time.Now().Format(time.DateOnly)} // without a database nothing is spent
	if e.store != nil {
		var err error
		if today, err = e.store.DayCost(ctx, time.Now()); err != nil {
			e.add("Budget", blame("today", err))
			return
		}
	}
	budget := agent.Budget{Day: most}
	found := Finding{Name: "today", Level: levelOK, Says: budget.Today(today), Value: today}
	if today.Cost >= most {
		found.Level, found.Do = levelNote, "no run goes on: raise the limit, or wait until midnight"
		found.Next = "raise limits.day_max_cost or wait until midnight, for no run goes on today"
	}
	e.add("Budget", found)
}
