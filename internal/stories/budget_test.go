package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// costing gives an answer its price in tokens.
func costing(tokens int, answer modeltest.Reply) modeltest.Reply {
	answer.Usage = modeltest.Usage{In: tokens - 1, Out: 1}
	return answer
}

// A session's budget is one for all: a subagent that comes near it says so, uses
// it up, sums up and fails; the parent that its end wakes has one step to say what
// was found; and nothing begins after that.
func TestASessionsBudgetWarnsSumsUpAndEnds(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && h.Asked("budget is used up"):
				return costing(100, modeltest.Say("I have found half."))
			case h.Child("dig") && h.Answered("read"):
				return costing(3000, modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})))
			case h.Child("dig"):
				answer := costing(5600, begun())
				answer.Hold = release
				return answer
			case len(h.Notices()) > 0:
				return costing(100, modeltest.Say("Half of it is found."))
			case h.Answered("agent"):
				close(release)
				return costing(100, modeltest.Say("It is on its way."))
			}
			return costing(1300, modeltest.Do(modeltest.Launch("a dig", "dig to the bottom")))
		}).With("PAWL_LIMITS_MAX_TOKENS=8200")
		r, errs, code := s.Prompted(t, "-p", "find it")
		require.Equal(t, 1, code, errs)
		require.Equal(t, "failed", r.Status)
		require.Equal(t, "budget", r.Error.Kind)
		require.Equal(t, "Half of it is found.", r.Output, "the partial result")
		require.Regexp(t, `pawl: 8\d % of the session's budget is used: [67],\d{3} of 8,200 tokens \(limits.max_tokens\)\n`, errs)
		require.Contains(t, errs, ": one last step to summarize\n")

		child := s.Server.AwaitNth(t, 3, modeltest.FromChild("dig"))
		require.True(t, child.Asked("this is your last step, and no tool runs any more"))
		parent := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
		require.True(t, parent.Asked("this is your last step"))
		notice := noticeOf(parent, "a dig")
		require.True(t, harness.ContainsAll(notice, "failed (budget): the session's budget is used up", "<result>I have found half.</result>", "do not start it again unless asked"), notice)
		dug := exportedPage(t, s, r.Session).delegated(t)["a dig"]
		require.Equal(t, "budget", dug.Error.Kind)
		require.Equal(t, "budget", dug.Warnings[0].Kind)
		require.Len(t, dug.Warnings, 2)

		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--continue", "-p", "go on")...)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "the session's budget is used up")
		require.Len(t, s.Server.All(modeltest.FromParent), 3, "nobody was asked")

		x := s.Open(t, "--session", r.Session)
		x.See("budget: the session's budget is used up")
		x.Type(harness.KeyTab)
		x.See("of the session's budget is used", "one last step to summarize", "I have found half.")
		x.Type(harness.KeyLeft)
		require.Equal(t, 0, x.Quit())
	})
}

// Near its limit a run says so on its line, while there is time to do something.
func TestACardSaysThatItsBudgetIsNearlyUsedUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Answered("read"):
			return modeltest.Say("Stone ").Until(release, "and earth.")
		case h.Child("dig"):
			return costing(900, begun())
		case h.Answered("agent"):
			return costing(10, modeltest.Say("Stone, it says."))
		}
		return costing(10, modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom")))
	}).With("PAWL_LIMITS_RUN_MAX_TOKENS=1000")
	x := s.Open(t)
	x.Prompt("find it")
	x.See("a dig", "Stone", "budget")
	close(release)
	x.See("Stone, it says.")
	require.Equal(t, 0, x.Quit())
}
