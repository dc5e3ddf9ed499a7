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
}

// limits lists the limits that are set.
func (b Budget) limits(run, session lifecycle.Usage) []limit {
	all := []limit{
		{"limits.run_max_cost", "this run's", run.Cost, b.Run.Cost, true},
		{"limits.run_max_tokens", "this run's", float64(run.Tokens()), float64(b.Run.Tokens), false},
		{"limits.max_cost", "the session's", session.Cost, b.Session.Cost, true},
		{"limits.max_tokens", "the session's", float64(session.Tokens()), float64(b.Session.Tokens), false},
	}
	return slices.DeleteFunc(all, func(l limit) bool { return l.most <= 0 })
}

func (l limit) String() string {
	if l.money {
		return fmt.Sprintf("%s of %s", dollars(l.spent), dollars(l.most))
	}
	return fmt.Sprintf("%s of %s tokens", words.Grouped(int64(l.spent)), words.Grouped(int64(l.most)))
}

// dollars shows small sums with enough digits to tell them from zero.
func dollars(sum float64) string {
	if sum > 0 && sum < 0.1 {
		return fmt.Sprintf("$%.4f", sum)
	}
	return fmt.Sprintf("$%.2f", sum)
}

// checkBudget checks the budget before a step. It warns once per run about each limit that
// is nearly used up, and returns the failure for one that is.
func (t *activeRun) checkBudget() (*lifecycle.Failure, error) {
	if t.kit.Budget == (Budget{}) {
		return nil, nil
	}
	if err := t.warnUnpriced(); err != nil {
		return nil, err
	}
	for _, l := range t.kit.Budget.limits(t.port.Run().Usage, t.port.Spent()) {
		if l.spent >= l.most {
			return &lifecycle.Failure{
				Kind:    lifecycle.FailBudget,
				Message: fmt.Sprintf("%s budget is used up: %s (%s)", l.owner, l, l.setting),
			}, nil
		}
		if l.spent < warnAt*l.most {
			continue
		}
		text := fmt.Sprintf("%d %% of %s budget is used: %s (%s)", int(100*l.spent/l.most), l.owner, l, l.setting)
		if err := t.warn(l.setting, text); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// warnUnpriced warns that a limit in dollars has no effect if the model's price is unknown.
func (t *activeRun) warnUnpriced() error {
	money := t.kit.Budget.Run.Cost > 0 || t.kit.Budget.Session.Cost > 0
	if !money || t.info.Priced() {
		return nil
	}
	return t.warn("price", fmt.Sprintf("the price of %s is not known, so what it costs is not counted against the budget; limits.max_tokens counts", t.run.Model))
}

// warn records a warning, once for each thing.
func (t *activeRun) warn(about, text string) error {
	if t.warned[about] {
		return nil
	}
	if t.warned == nil {
		t.warned = map[string]bool{}
	}
	t.warned[about] = true
	return t.port.Record(nil, lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: text})
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
