package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"pawl/internal/counttest"
	"pawl/lifecycle"
)

// mostPerToken is the allocations of a token between its provider and the watch of its
// session, in an answer of some length: see counttest. None: what holds the text doubles now and then.
const mostPerToken = 0.1

func TestCostOfATokenInTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(_ context.Context, on func(Delta)) (Response, error) {
			on(Delta{Text: "An answer of some length. "})
			counttest.Allocations(t, "a token in the loop", mostPerToken, 100, func() {
				for range 100 {
					on(Delta{Text: "token "})
				}
			})
			return Response{Stop: StopEnd, Message: Message{Role: RoleAssistant, Parts: []Part{{Text: "token"}}}}, nil
		}).open()
		ctx, stop := context.WithCancel(t.Context())
		go func() { _ = st.s.Watch(ctx, root, 0, func(lifecycle.Updates) {}) }()
		st.say("go")
		synctest.Wait()
		stop()
		st.close()
	})
}
