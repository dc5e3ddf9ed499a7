package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

// What a delegation asks of the models in all, parent and subagent: the parent, the
// subagent, and the parent with its result. One in the background may take one more, for
// what the parent says to its start.
const (
	mostInFront      = 3
	mostInBackground = 4
)

func TestCostOfADelegationInRequests(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		for most, start := range map[float64]call{mostInFront: delegate("a dig", "dig to the bottom"), mostInBackground: launch("a dig", "dig to the bottom")} {
			s := set(t, p, func(h heard) reply {
				switch {
				case h.child("dig"):
					return say("The bottom is stone.")
				case h.answered("agent"), len(h.notices()) > 0:
					return say("It is stone.")
				}
				return do(start)
			})
			_, errs, code := s.prompted(t, "-p", "start one")
			require.Equal(t, 0, code, errs)
			counttest.AtMost(t, "requests of a delegation", most, float64(len(s.server.all(func(heard) bool { return true }))))
			require.Len(t, s.server.all(fromChild("dig")), 1, "a start is one request")
		}
	})
}
