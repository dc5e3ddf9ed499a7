package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What a delegation asks of the models in all, parent and subagent: the parent, the
// subagent, and the parent with its result. One in the background may take one more, for
// what the parent says to its start.
const (
	mostInFront      = 3
	mostInBackground = 4
)

func TestCostOfADelegationInRequests(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for most, start := range map[float64]modeltest.Call{mostInFront: modeltest.Delegate("a dig", "dig to the bottom"), mostInBackground: modeltest.Launch("a dig", "dig to the bottom")} {
			s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("dig"):
					return modeltest.Say("The bottom is stone.")
				case h.Answered("agent"), len(h.Notices()) > 0:
					return modeltest.Say("It is stone.")
				}
				return modeltest.Do(start)
			})
			_, errs, code := s.Prompted(t, "-p", "start one")
			require.Equal(t, 0, code, errs)
			counttest.AtMost(t, "requests of a delegation", most, float64(len(s.Server.All(func(modeltest.Request) bool { return true }))))
			require.Len(t, s.Server.All(modeltest.FromChild("dig")), 1, "a start is one request")
		}
	})
}
