package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Budget is what may be spent; zero means no limit. It is checked between steps, so the
// last step may exceed it.
type Budget struct {
	Run     Allowance // for one run, parent or subagent
	Session Allowance // for a session with all its subagents, from its start
	Day     float64   // US dollars, for all sessions of the user in one calendar day; see Kit.Today
}

// Allowance is an amount of money and tokens.
type Allowance struct {
	Cost   float64 // US dollars, by the price table
	Tokens int64   // input and output, cached input included
}

// warnAt is the fraction of a limit at which a warning is given.
const warnAt = 0.8

// limit is one limit of a budget, with what is spent of it.
type limit struct {
	setting     string
	owner       string
	spent, most float64
	money       bool
	today       lifecycle.DayCost // of a limit for a day
}

// limits lists the limits that are set.
func (b Budget) limits(run, session lifecycle.Usage, today lifecycle.DayCost) []limit {
	all := []limit{
		{setting: "limits.run_max_cost", owner: "this run's", spent: run.Cost, most: b.Run.Cost, money: true},
		{setting: "limits.run_max_tokens", owner: "this run's", spent: float64(run.Tokens()), most: float64(b.Run.Tokens)},
		{setting: "limits.max_cost", owner: "the session's", spent: session.Cost, most: b.Session.Cost, money: true},
		{setting: "limits.max_tokens", owner: "the session's", spent: float64(session.Tokens()), most: float64(b.Session.Tokens)},
		b.day(today),
	}
	return slices.DeleteFunc(all, func(l limit) bool { return l.most <= 0 })
}

func (b Budget) day(today lifecycle.DayCost) limit {
	return limit{setting: "limits.day_max_cost", owner: "today's", spent: today.Cost, most: b.Day, money: true, today: today}
}

// Today says what is spent of the limit for a day.
func (b Budget) Today(today lifecycle.DayCost) string {
	l := b.day(today)
	return fmt.Sprintf("%s (%s)", l, l.setting)
}

func (l limit) String() string {
	switch {
	case l.today.Day != "":
		return fmt.Sprintf("%s of %s over %s", dollars(l.spent), dollars(l.most), words.Count(l.today.Sessions, "session"))
	case l.money:
		return fmt.Sprintf("%s of %s", dollars(l.spent), dollars(l.most))
	}
	return fmt.Sprintf("%s of %s tokens", words.Grouped(int64(l.spent)), words.Grouped(int64(l.most)))
}

// remedy is what to do once it is reached: that a day's limit lifts by itself is worth knowing.
func (l limit) remedy() string {
	if l.today.Day != "" {
		return "raise " + l.setting + ", or wait until midnight"
	}
	return l.setting
}

// dollars shows small sums with enough digits to tell them from zero.
func dollars(sum float64) string {
	if sum > 0 && sum < 0.1 {
		return fmt.Sprintf("$%.4f", sum)
	}
	return fmt.Sprintf("$%.2f", sum)
}

// checkBudget checks the budget before a step. It warns once per run about each limit that
// is nearly used up, for a day's limit once per run and day, and returns the failure for one
// that is.
func (t *activeRun) checkBudget(ctx context.Context) (*lifecycle.Failure, error) {
	if t.kit.Budget == (Budget{}) {
		return nil, nil
	}
	if err := t.warnUnpriced(); err != nil {
		return nil, err
	}
	today, err := t.today(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range t.kit.Budget.limits(t.port.Run().Usage, t.port.Spent(), today) {
		if l.spent >= l.most {
			return &lifecycle.Failure{
				Kind:    lifecycle.FailBudget,
				Message: fmt.Sprintf("%s budget is used up: %s (%s)", l.owner, l, l.remedy()),
			}, nil
		}
		if l.spent < warnAt*l.most {
			continue
		}
		text := fmt.Sprintf("%d %% of %s budget is used: %s (%s)", int(100*l.spent/l.most), l.owner, l, l.setting)
		if err := t.warn(l.setting+l.today.Day, text); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// today is what the day has cost, if that is limited. A sum that cannot be read is a failure:
// otherwise the limit would not hold.
func (t *activeRun) today(ctx context.Context) (lifecycle.DayCost, error) {
	if t.kit.Budget.Day <= 0 {
		return lifecycle.DayCost{}, nil
	}
	cost, err := t.kit.Today(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return cost, context.Cause(ctx)
	case err != nil:
		return cost, &lifecycle.Failure{Kind: lifecycle.FailJournal, Message: "what today has cost is not known, and limits.day_max_cost bounds it: " + err.Error()}
	}
	return cost, nil
}

// warnUnpriced warns that a limit in dollars has no effect if the model's price is unknown.
func (t *activeRun) warnUnpriced() error {
	money := t.kit.Budget.Run.Cost > 0 || t.kit.Budget.Session.Cost > 0 || t.kit.Budget.Day > 0
	if !money || t.info.Priced() {
		return nil
	}
	return t.warn("price of "+t.name, fmt.Sprintf("the price of %s is not known, so what it costs is not counted against the budget; limits.max_tokens counts", t.name))
}

// warn records a warning about the budget, once for each thing.
func (t *activeRun) warn(about, text string) error {
	return t.warnOnce(lifecycle.WarnBudget, about, text)
}

// warnOnce records a warning, once a run for each thing that it is about.
func (t *activeRun) warnOnce(kind lifecycle.WarningKind, about, text string) error {
	if t.warned[about] {
		return nil
	}
	if t.warned == nil {
		t.warned = map[string]bool{}
	}
	t.warned[about] = true
	return t.port.Record(nil, lifecycle.Warned{Kind: kind, Message: text})
}

// wrapUpText is sent to a model whose budget is used up, for its last step. The request still
// lists the tools: a history with calls needs them, and it keeps the server's cache valid.
const wrapUpText = "The budget is used up, so this is your last step, and no tool runs any more. Say in plain text what you found, what you did, and what is left to do."

// wrapUp gives the model its last step and returns the error that ends the run. A run that
// has not begun ends at once, unless the end of its subagents started it: somebody has to
// report what they found.
func (t *activeRun) wrapUp(ctx context.Context, over *lifecycle.Failure) error {
	if t.port.Run().Step == 0 && t.run.Trigger != lifecycle.TriggerNotification {
		return over
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := t.receive(); err != nil {
		return err
	}
	if err := t.say(wrapUpText, lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: over.Message + ": one last step to summarize"}); err != nil {
		return err
	}
	t.kit.Search = nil // no search either
	answer, err := t.ask(ctx)
	if err != nil {
		var failed *lifecycle.Failure
		if errors.As(err, &failed) && failed.Kind != lifecycle.FailJournal {
			over.Message += "; it could not summarize: " + strings.TrimRight(failed.Message, ".")
			return over
		}
		return err
	}
	if err := t.cancel(answer.Message.Calls(), "Not run: the budget is used up."); err != nil {
		return err
	}
	return over
}
