package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// Each request of an answer sends the conversation again, and is paid for by its own length.
func TestAnAnswerInSeveralRequestsIsNoLongerForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "look")), says("done"))
		st.named, st.room = "anthropic/claude-haiku-5-5", ModelInfo{Context: 100_000, Output: 1}
		st.tools = []Tool{reads("look", 10)}
		info := InfoOf(st.named)
		parts := []lifecycle.Usage{{InputTokens: info.LongAt/2 + 1}, {InputTokens: info.LongAt/2 + 2}}
		require.Positive(t, info.LongAt, "longer requests have another price")
		first := st.model.turns[0]
		st.model.turns[0] = func(ctx context.Context, on func(Delta)) (Response, error) {
			answer, err := first(ctx, on)
			answer.Earlier, answer.Usage = parts[:1], parts[1]
			return answer, err
		}
		st.played("go")
		defer st.close()
		require.Equal(t, "done", st.last().Result)
		require.Empty(t, st.summaries(), "the conversation is half full")
		last := lifecycle.Usage{InputTokens: 10, OutputTokens: 2}
		require.Equal(t, info.LongAt+3+10, st.last().Usage.InputTokens)
		require.InDelta(t, info.Cost(parts[0])+info.Cost(parts[1])+info.Cost(last), st.last().Usage.Cost, 1e-9)
	})
}
