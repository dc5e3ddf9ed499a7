package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The exit code of every way in which a prompt can end, but for those that other
// stories tell: time limits, signals, usage.
func TestTheExitCodeIsTrueHoweverAPromptEnds(t *testing.T) {
	t.Parallel()
	broken := fault(403, "this key may not use the model")
	for name, row := range map[string]struct {
		parent, child reply
		code          int
		states        []string
	}{
		"done":                        {say("Done."), say("Found."), 0, []string{"completed", "completed"}},
		"its subagent failed":         {say("It failed."), broken, 3, []string{"completed", "failed"}},
		"its subagent was empty":      {say("Nothing."), nothing(), 3, []string{"completed", "completed_empty"}},
		"it failed":                   {broken, say("Found."), 1, []string{"failed", "completed"}},
		"it was empty":                {nothing(), say("Found."), 1, []string{"completed_empty", "completed"}},
		"it failed, its subagent too": {broken, nothing(), 1, []string{"failed", "completed_empty"}},
		"it stopped its subagent":     {say("Enough."), say("…").until(make(chan struct{})), 0, []string{"completed", "canceled_by_agent"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, chatProtocol(), func(h heard) reply {
				switch {
				case !h.parent():
					return row.child
				case h.answered("agent") && row.child.hold != nil:
					return do(use("agent_stop", object{"agent_id": agentOf(h)}))
				case h.answered("agent") || h.answered("agent_stop"):
					return row.parent
				}
				if row.child.hold != nil {
					return do(launch("a look", "look"))
				}
				return do(delegate("a look", "look"))
			})
			r, errs, code := s.prompted(t, "-p", "go")
			require.Equal(t, row.code, code, errs)
			require.Equal(t, row.states, []string{r.Status, r.Subagents[0].Status})
		})
	}
}
