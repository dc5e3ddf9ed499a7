package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The exit code of every way in which a prompt can end, but for those that other
// stories tell: time limits, signals, usage.
func TestTheExitCodeIsTrueHoweverAPromptEnds(t *testing.T) {
	t.Parallel()
	broken := modeltest.Fault(403, "this key may not use the model")
	for name, row := range map[string]struct {
		parent, child modeltest.Reply
		code          int
		states        []string
	}{
		"done":                        {modeltest.Say("Done."), modeltest.Say("Found."), 0, []string{"completed", "completed"}},
		"its subagent failed":         {modeltest.Say("It failed."), broken, 3, []string{"completed", "failed"}},
		"its subagent was empty":      {modeltest.Say("Nothing."), modeltest.Nothing(), 3, []string{"completed", "completed_empty"}},
		"it failed":                   {broken, modeltest.Say("Found."), 1, []string{"failed", "completed"}},
		"it was empty":                {modeltest.Nothing(), modeltest.Say("Found."), 1, []string{"completed_empty", "completed"}},
		"it failed, its subagent too": {broken, modeltest.Nothing(), 1, []string{"failed", "completed_empty"}},
		"it stopped its subagent":     {modeltest.Say("Enough."), modeltest.Say("…").Until(make(chan struct{})), 0, []string{"completed", "canceled_by_agent"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case !h.Parent():
					return row.child
				case h.Answered("agent") && row.child.Hold != nil:
					return modeltest.Do(modeltest.Use("agent_stop", modeltest.Object{"agent_id": harness.AgentOf(h)}))
				case h.Answered("agent") || h.Answered("agent_stop"):
					return row.parent
				}
				if row.child.Hold != nil {
					return modeltest.Do(modeltest.Launch("a look", "look"))
				}
				return modeltest.Do(modeltest.Delegate("a look", "look"))
			})
			r, errs, code := s.Prompted(t, "-p", "go")
			require.Equal(t, row.code, code, errs)
			require.Equal(t, row.states, []string{r.Status, r.Subagents[0].Status})
		})
	}
}
