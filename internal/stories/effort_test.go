package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Effort is the call's, else the type's, else the parent's; each model is asked in its own
// form, and what one does not take is said. What was sent stands in the export.
func TestEffortIsTheCallsElseTheTypesElseTheSessions(t *testing.T) {
	t.Parallel()
	delegate := func(name string, more modeltest.Object) modeltest.Call {
		return modeltest.Use("agent", modeltest.Object{"description": name, "prompt": name}.With(more))
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case !h.Parent():
			return modeltest.Say("Done.")
		case h.Answered("agent"):
			return modeltest.Say("All done.")
		}
		return modeltest.Do(
			delegate("dig like me", nil),
			delegate("dig by call", modeltest.Object{"subagent_type": "thrifty", "effort": "max", "model": "openai/gpt-5.5"}),
			delegate("dig by type", modeltest.Object{"subagent_type": "thrifty"}),
			delegate("dig without", modeltest.Object{"model": "openai/gpt-4.1"}),
			delegate("dig apart", modeltest.Object{"isolation": "process", "effort": "high"}),
		)
	}).Configured(t, "effort = \"medium\"\n")
	s.Model = "anthropic/claude-opus-5-5"
	types := filepath.Join(s.Home, "config", "agents")
	require.NoError(t, os.MkdirAll(types, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(types, "thrifty.md"), []byte("---\ndescription: saves\neffort: low\n---\nSave.\n"), 0o600))

	r, errs, code := s.Prompted(t, "-p", "dig")
	require.Zero(t, code, errs)
	require.Equal(t, "pawl: openai/gpt-4.1 takes no effort; it is asked without\n", errs)
	require.Equal(t, "medium", s.Server.Await(t, modeltest.FromParent).Effort)
	shown := exportedPage(t, s, r.Session).delegated(t)
	for name, want := range map[string]string{
		"dig like me": "medium", "dig by call": "xhigh", "dig by type": "low", "dig without": "", "dig apart": "high",
	} {
		require.Equal(t, want, s.Server.Await(t, modeltest.FromChild(name)).Effort, name)
		require.Equal(t, want, shown[name].EffortSent, name)
	}
	page, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "md", "-o", "-")
	require.Zero(t, code, errs)
	require.Contains(t, page, "openai/gpt-5.5 · effort xhigh")

	_, errs, code = s.Prompted(t, "--effort", "default", "--continue", "-p", "again")
	require.Zero(t, code, errs)
	require.Empty(t, s.Server.AwaitNth(t, 3, modeltest.FromParent).Effort, "the flag goes before the setting")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "--effort", "hihg", "-p", "again")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `effort "hihg": must be low, medium, high or max; did you mean "high"?`)
}

// On the screen /effort chooses, the cards say what is asked of each, and the choice outlives
// the screen.
func TestEffortIsChosenAndShownOnTheScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case !h.Parent():
			return modeltest.Say("Done.")
		case len(h.Notices()) > 0:
			return modeltest.Say("So I hear.")
		case h.Answered("agent"):
			return modeltest.Say("All done.")
		case h.Asked("dig"):
			return modeltest.Do(modeltest.Launch("a dig", "deep"))
		}
		return modeltest.Say("I see.")
	})
	s.Model = "anthropic/claude-opus-4-6"
	x := s.Open(t)
	x.Prompt("/effort")
	x.See("Effort", "default", "the model decides", "medium", "max")
	x.Type(harness.KeyEsc)
	x.SeeNot("the model decides")
	x.Prompt("/effort hihg")
	x.See(`effort "hihg": must be low, medium, high or max`, "› /effort hihg")
	x.Type(harness.KeyCtrlU)
	x.Prompt("/effort high")
	x.See("effort: high", "anthropic/claude-opus-4-6 high")
	x.Prompt("dig")
	x.See("So I hear.", "effort high")
	require.Equal(t, "high", s.Server.Await(t, modeltest.FromParent).Effort)
	require.Equal(t, "high", s.Server.Await(t, modeltest.FromChild("deep")).Effort)
	x.Prompt("/cost")
	x.See("Cost: ", "anthropic/claude-opus-4-6 high")
	x.Type(harness.KeyEsc)
	x.SeeNot("Cost: ")
	require.Zero(t, x.Quit())

	x = harness.Start(t, s.Dir, s.Env, "--continue")
	x.Ready()
	x.See("anthropic/claude-opus-4-6 high")
	require.Zero(t, x.Quit())
}
