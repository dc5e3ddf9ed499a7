package agent

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// stalling answers a part, with what its server has counted until then, and no more.
func stalling(text string, counted lifecycle.Usage, err error) func(context.Context, func(Delta)) (Response, error) {
	return func(ctx context.Context, on func(Delta)) (Response, error) {
		if text != "" {
			on(Delta{Text: text})
		}
		if err == nil {
			<-ctx.Done()
			err = ctx.Err()
		}
		return Response{Usage: counted}, err
	}
}

func TestARequestThatIsStoppedWhileItAnswersIsCountedAsAnEstimate(t *testing.T) {
	question := strings.Repeat("q", 4000)
	for name, row := range map[string]struct {
		text    string
		counted lifecycle.Usage
		in, out int64 // at least
		guessed int64 // at least
	}{
		"nothing was counted":          {strings.Repeat("a", 400), lifecycle.Usage{}, 1000, 100, 1100},
		"the input was counted":        {strings.Repeat("a", 400), lifecycle.Usage{InputTokens: 77, CachedTokens: 7, OutputTokens: 1}, 77, 100, 99},
		"all was counted":              {strings.Repeat("a", 400), lifecycle.Usage{InputTokens: 77, OutputTokens: 200}, 77, 200, 0},
		"nothing was answered":         {"", lifecycle.Usage{}, 0, 0, 0},
		"it was counted and not shown": {"", lifecycle.Usage{InputTokens: 5}, 5, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, stalling(row.text, row.counted, nil))
				st.open().say(question)
				synctest.Wait()
				st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
				synctest.Wait()
				defer st.close()
				run := st.last()
				require.Equal(t, lifecycle.StateCanceledByUser, run.State)
				u := run.Usage
				require.GreaterOrEqual(t, u.InputTokens, row.in)
				require.LessOrEqual(t, u.InputTokens, row.in+row.in/10)
				require.Equal(t, row.out, u.OutputTokens)
				require.GreaterOrEqual(t, u.EstimatedTokens, row.guessed)
				require.LessOrEqual(t, u.EstimatedTokens, row.guessed+row.guessed/10)
				require.Equal(t, row.guessed > 0, u.Estimated())
			})
		})
	}
}

func TestABudgetSeesWhatIsEstimated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, stalling(strings.Repeat("a", 4000), lifecycle.Usage{}, nil), says("never"))
		st.budget = Budget{Session: Allowance{Tokens: 500}}
		st.open().say("go")
		synctest.Wait()
		st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
		synctest.Wait()
		st.say("go on")
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.FailBudget, st.last().Error.Kind)
	})
}

func TestAnAttemptThatBrokeOffAndWasMadeAgainIsCountedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := &ProviderError{Kind: lifecycle.FailProvider, Message: "cut", Temporary: true}
		st := newStage(t, stalling(strings.Repeat("a", 400), lifecycle.Usage{}, cut), says("at last"))
		st.open().say("go")
		<-time.After(time.Minute)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "at last", st.last().Result)
		require.GreaterOrEqual(t, st.last().Usage.EstimatedTokens, int64(100))
	})
}
