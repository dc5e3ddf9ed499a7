package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// dollars gives an answer its price, where a million tokens out cost ten dollars.
func dollars(cost float64, answer modeltest.Reply) modeltest.Reply {
	answer.Usage = modeltest.Usage{In: 1, Out: int(cost * 100_000)}
	return answer
}

const (
	priced = `
[models."anthropic/claude-loopback-1"]
input_price = 0
output_price = 10
`
	dayUsedUp = "today's budget is used up: $1.05 of $1.00 over 2 sessions (raise limits.day_max_cost, or wait until midnight)"
)

// A day's limit counts all sessions of all processes, those of subagents with a process of
// their own included; a subagent near it says so, and then nothing begins any more.
func TestADaysBudgetCountsEverySessionAndRefusesTheNext(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Answered("read"):
			return dollars(0.15, modeltest.Say("Stone."))
		case h.Child("dig"):
			return dollars(0.15, modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})))
		case h.Asked("this is your last step"):
			return dollars(0, modeltest.Say("Half of it is found."))
		case h.Asked("find it"):
			return dollars(0.25, modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false)))
		}
		return dollars(0.5, modeltest.Say("Good morning."))
	}).Configured(t, priced).With("PAWL_LIMITS_DAY_MAX_COST=1")
	first, errs, code := s.Prompted(t, "-p", "hello")
	require.Zero(t, code, errs)
	_, d := examined(t, s, 0)
	require.Equal(t, "$0.50 of $1.00 over 1 session (limits.day_max_cost)", d.finding(t, "Budget", "today").Says)

	r, errs, code := s.Prompted(t, "-p", "find it")
	require.Equal(t, 1, code, errs)
	require.Equal(t, "budget", r.Error.Kind)
	require.Contains(t, r.Error.Message, dayUsedUp)
	require.Equal(t, "Half of it is found.", r.Output, "the partial result")
	require.Equal(t, "completed", r.Subagents[0].Status)
	require.Contains(t, errs, "pawl: 90 % of today's budget is used: $0.90 of $1.00 over 2 sessions (limits.day_max_cost)\n", "the subagent in its own process saw it")

	asked := len(s.Server.All(func(modeltest.Request) bool { return true }))
	refused := func(args ...string) {
		t.Helper()
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags(args...)...)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, dayUsedUp)
	}
	refused("-p", "hello again")
	refused("--session", first.Session, "-p", "and on")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", first.Session)
	require.Zero(t, code, errs)
	refused("-p", "is there room now?")
	require.Len(t, s.Server.All(func(modeltest.Request) bool { return true }), asked, "nobody was asked")
	text, d := examined(t, s, 0)
	require.Equal(t, "note", d.finding(t, "Budget", "today").Level)
	require.Contains(t, text, "$1.05 of $1.00 over 2 sessions (limits.day_max_cost): no run goes on: raise the limit, or wait until midnight")

	x := s.Open(t)
	x.Prompt("on the screen?")
	x.See("today's budget is used up")
	require.Equal(t, 0, x.Quit())
	_, errs, code = s.With("PAWL_LIMITS_DAY_MAX_COST=9").Prompted(t, "-p", "with more")
	require.Zero(t, code, errs)
}

// A process at work sees what another has spent meanwhile, at its next step.
func TestARunningSessionSeesWhatAnotherProcessSpends(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("this is your last step"):
			return dollars(0, modeltest.Say("As far as I got."))
		case h.Asked("slowly"):
			answer := dollars(0.25, modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})))
			answer.Hold = release
			return answer
		}
		return dollars(0.8, modeltest.Say("Done."))
	}).Configured(t, priced).With("PAWL_LIMITS_DAY_MAX_COST=1")
	x := s.Open(t)
	x.Prompt("slowly")
	s.Server.Await(t, func(h modeltest.Request) bool { return h.Asked("slowly") })
	_, errs, code := s.Prompted(t, "-p", "quickly")
	require.Zero(t, code, errs)
	close(release)
	x.See("As far as I got.", "today's budget is used up")
	require.Equal(t, 0, x.Quit())
}
