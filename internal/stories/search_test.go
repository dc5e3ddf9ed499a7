package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The model's own server searches the web where a rule allows it, and nowhere else. What was
// searched, found and cited stands in the conversation, the records and the exports, and goes back
// to the server; what it costs is counted.
func TestTheModelsServerSearchesTheWebWhereARuleAllowsIt(t *testing.T) {
	t.Parallel()
	for _, p := range []modeltest.Protocol{modeltest.Anthropic(), modeltest.Responses(), modeltest.Gemini()} {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
				switch {
				case !h.Parent():
					return modeltest.Say("Looked.")
				case h.Answered("agent"):
					return modeltest.Say("All done.")
				case h.Asked("and"):
					return modeltest.Do(
						modeltest.Delegate("a free look", "look free"),
						modeltest.Use("agent", modeltest.Object{"description": "a plain look", "prompt": "look plain", "subagent_type": "explore"}),
						modeltest.Use("agent", modeltest.Object{"description": "a far look", "prompt": "look far", "isolation": "process"}),
					)
				}
				return modeltest.Say("It is out.").Searching("go release", "https://go.dev/blog/go1", "https://go.dev/doc")
			}).Configured(t, "[permissions]\nallow = [\"search(*)\"]\n")
			s.Model = p.Name + "/" + map[string]string{"anthropic": "claude-opus-5-5", "openai": "gpt-5.5", "gemini": "gemini-3.5-flash"}[p.Name]
			found := `searched the web for "go release": 2 pages`
			if p.Name == "gemini" { // does not say what it found, only what the answer rests on
				found = `searched the web for "go release"`
			}
			r, errs, code := s.Prompted(t, "-p", "is it out")
			require.Zero(t, code, errs)
			require.Equal(t, "It is out.", r.Output)
			require.True(t, s.Server.Await(t, modeltest.FromParent).Search)
			require.InDelta(t, 1, r.Usage["web_searches"], 0)
			require.Greater(t, r.Usage["cost_usd"], 0.01, "a search has its price")
			export := exportOf(t, s, r.Session)
			require.Contains(t, export, `"event":"searched"`)
			require.Contains(t, export, `"query":"go release"`)
			require.NotContains(t, export, "sealed")
			require.NotContains(t, export, "c2VhbGVk", "what only the server can read is not exported")
			page, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "md", "-o", "-")
			require.Zero(t, code, errs)
			require.Contains(t, page, found)
			require.Contains(t, page, "https://go.dev/doc")

			x := s.Open(t, "--continue")
			x.See(found, "It is out.", "cites About go release https://go.dev/blog/go1")
			x.Prompt("and now")
			x.See("All done.")
			require.Zero(t, x.Quit())
			require.Equal(t, []string{"go release"}, s.Server.AwaitNth(t, 2, modeltest.FromParent).Searched, "it goes back")
			require.True(t, s.Server.Await(t, modeltest.FromChild("look free")).Search)
			require.True(t, s.Server.Await(t, modeltest.FromChild("look far")).Search)
			require.False(t, s.Server.Await(t, modeltest.FromChild("look plain")).Search, "its type has no such tool, and only reads")

			require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), nil, 0o600))
			_, errs, code = s.Prompted(t, "--permission-mode", "bypass", "--continue", "-p", "and again")
			require.Zero(t, code, errs)
			require.False(t, s.Server.AwaitNth(t, 4, modeltest.FromParent).Search, "without a rule nothing is searched, in any mode")
		})
	}
}

// A model whose server refuses the search, or that has none beside functions, is asked without it,
// and each run says so.
func TestASearchThatIsNotOfferedIsSaid(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Gemini(), func(h modeltest.Request) modeltest.Reply {
		if h.Search {
			return modeltest.Fault(403, "Search as tool is not enabled for this project.")
		}
		return modeltest.Say("I do not know.")
	}).Configured(t, "[permissions]\nallow = [\"search(*)\"]\n")
	for model, why := range map[string]string{
		"gemini/gemini-3.5-flash": "refuses searches of the web; it is asked without",
		"gemini/gemini-2.5-pro":   "cannot search the web beside other tools; it is asked without",
	} {
		s.Model = model
		r, errs, code := s.Prompted(t, "-p", "is it out")
		require.Zero(t, code, errs)
		require.Equal(t, "I do not know.", r.Output)
		require.Equal(t, "pawl: "+model+" "+why+"\n", errs)
		require.Contains(t, exportOf(t, s, r.Session), `"kind":"search","message":"`+model+" "+why)
	}
}
