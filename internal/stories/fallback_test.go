package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// limitedForGood answers for one protocol that its limit is reached, with a pause that nobody
// waits for, and by script for the others.
func limitedForGood(protocol string, script func(modeltest.Request) modeltest.Reply) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		if h.Protocol == protocol {
			return modeltest.Reply{Status: 429, Message: "your limit is reached", RetryAfter: "3600"}
		}
		return script(h)
	}
}

// Where a model is limited for good the fallback goes on, for the parent and for a subagent, and
// what it wrote is marked; the next run begins with its own model again.
func TestTheFallbackGoesOnForParentAndSubagent(t *testing.T) {
	t.Parallel()
	script := func(h modeltest.Request) modeltest.Reply {
		switch {
		case !h.Parent():
			return modeltest.Say("It is deep.")
		case h.Answered("agent"):
			return modeltest.Say("Deep, it says.")
		}
		return modeltest.Do(modeltest.Delegate("a dig", "dig"), modeltest.Isolated("a dig apart", "delve", false))
	}
	s := harness.NewStage(t, modeltest.Anthropic(), limitedForGood("anthropic", script)).Configured(t, "fallback = \"openai/gpt-5.5\"\n")
	r, errs, code := s.Prompted(t, "-p", "how deep is it")
	require.Zero(t, code, errs)
	require.Equal(t, "Deep, it says.", r.Output)
	require.Contains(t, errs, "pawl: by openai/gpt-5.5 from here until this run ends, because anthropic/claude-loopback-1 is limited: Anthropic: your limit is reached (HTTP 429)\n")
	limited := s.Server.All(func(h modeltest.Request) bool { return h.Protocol == "anthropic" })
	require.Len(t, limited, 1, "one pause holds for all runs")
	shown := exportedPage(t, s, r.Session).delegated(t)
	require.Equal(t, "openai/gpt-5.5", shown["a dig"].Fallback)
	require.Equal(t, "openai/gpt-5.5", shown["a dig apart"].Fallback)
	require.Equal(t, "anthropic/claude-loopback-1", shown["a dig"].Model)
	require.Positive(t, shown["a dig"].Usage.Cost, "its price is its own: that of the other is not known")

	x := s.Open(t, "--continue")
	x.See("by openai/gpt-5.5 from here", "Deep, it says.")
	x.Prompt("/cost")
	x.See("Cost: ", ", by openai/gpt-5.5")
	x.Type(harness.KeyEsc)
	x.SeeNot("Cost: ")
	x.Prompt("and wide?")
	x.WaitFor("the second answer", func(string) bool { return len(s.Server.All(modeltest.FromParent)) >= 5 })
	x.Rest()
	require.Zero(t, x.Quit())
	require.Len(t, s.Server.All(func(h modeltest.Request) bool { return h.Protocol == "anthropic" }), 2, "a later run begins with its own model")
}

// Without a key the fallback is no help: that is said, and the failure stands. A project cannot
// name one.
func TestAFallbackWithoutAKeyIsSaid(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), limitedForGood("anthropic", func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })).
		With("PAWL_FALLBACK=gemini/gemini-3-flash", "GEMINI_API_KEY=")
	r, errs, code := s.Prompted(t, "-p", "how deep is it")
	require.Equal(t, 1, code, errs)
	require.Equal(t, "rate_limited", r.Error.Kind)
	require.Contains(t, errs, "gemini/gemini-3-flash cannot go on in its place: GEMINI_API_KEY is not set")

	_, errs, code = harness.Run(t, s.Dir, append(s.Env, "PAWL_FALLBACK=gemnii/x"), s.Flags("-p", "x")...)
	require.Equal(t, 2, code)
	require.Contains(t, errs, `fallback: unknown model "gemnii/x"`)
}
