package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// costing gives an answer its price in tokens.
func costing(tokens int, answer reply) reply {
	answer.usage = usage{in: tokens - 1, out: 1}
	return answer
}

// A session's budget is one for all: a subagent that comes near it says so, uses
// it up, sums up and fails; the parent that its end wakes has one step to say what
// was found; and nothing begins after that.
func TestASessionsBudgetWarnsSumsUpAndEnds(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("budget is used up"):
				return costing(100, say("I have found half."))
			case h.child("dig") && h.answered("read"):
				return costing(3000, do(use("read", object{"path": "calc.go"})))
			case h.child("dig"):
				answer := costing(5600, begun())
				answer.hold = release
				return answer
			case len(h.notices()) > 0:
				return costing(100, say("Half of it is found."))
			case h.answered("agent"):
				close(release)
				return costing(100, say("It is on its way."))
			}
			return costing(1300, do(launch("a dig", "dig to the bottom")))
		}).with("PAWL_LIMITS_MAX_TOKENS=8200")
		r, errs, code := s.prompted(t, "-p", "find it")
		require.Equal(t, 1, code, errs)
		require.Equal(t, "failed", r.Status)
		require.Equal(t, "budget", r.Error.Kind)
		require.Equal(t, "Half of it is found.", r.Output, "the partial result")
		require.Regexp(t, `pawl: 8\d % of the session's budget is used: [67],\d{3} of 8,200 tokens \(limits.max_tokens\)\n`, errs)
		require.Contains(t, errs, ": one last step to summarize\n")

		child := s.server.awaitNth(t, 3, fromChild("dig"))
		require.True(t, child.asked("this is your last step, and no tool runs any more"))
		parent := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
		require.True(t, parent.asked("this is your last step"))
		notice := parent.noticeOf("a dig")
		require.True(t, containsAll(notice, "failed (budget): the session's budget is used up", "<result>I have found half.</result>", "do not start it again unless asked"), notice)
		dug := s.page(t, r.Session).delegated(t)["a dig"]
		require.Equal(t, lifecycle.FailBudget, dug.Error.Kind)
		require.Equal(t, lifecycle.WarnBudget, dug.Warnings[0].Kind)
		require.Len(t, dug.Warnings, 2)

		out, errs, code := run(t, s.dir, s.env, s.flags("--continue", "-p", "go on")...)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		requireOneLine(t, errs)
		require.Contains(t, errs, "the session's budget is used up")
		require.Len(t, s.server.all(fromParent), 3, "nobody was asked")

		x := s.open(t, "--session", r.Session)
		x.see("budget: the session's budget is used up")
		x.type_(keyTab)
		x.see("of the session's budget is used", "one last step to summarize", "I have found half.")
		x.type_(keyLeft)
		require.Equal(t, 0, x.quit())
	})
}

// Near its limit a run says so on its line, while there is time to do something.
func TestACardSaysThatItsBudgetIsNearlyUsedUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.answered("read"):
			return say("Stone ").until(release, "and earth.")
		case h.child("dig"):
			return costing(900, begun())
		case h.answered("agent"):
			return costing(10, say("Stone, it says."))
		}
		return costing(10, do(delegate("a dig", "dig to the bottom")))
	}).with("PAWL_LIMITS_RUN_MAX_TOKENS=1000")
	x := s.open(t)
	x.prompt("find it")
	x.see("a dig", "Stone", "budget")
	close(release)
	x.see("Stone, it says.")
	require.Equal(t, 0, x.quit())
}
