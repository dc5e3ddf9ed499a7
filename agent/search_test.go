package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestASearchThatIsNotOfferedIsSaidOnceARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const why = "refuses searches of the web; it is asked without"
		without := func(turn turnOf) turnOf {
			return func(ctx context.Context, on func(Delta)) (Response, error) {
				answer, err := turn(ctx, on)
				answer.NoSearch = why
				return answer, err
			}
		}
		st := newStage(t, without(calling(Call{ID: "1", Name: "look"})), without(says("one")))
		st.tools = []Tool{tool("look", nil)}
		st.search = func() *WebSearch { return &WebSearch{} }
		st.open()
		defer st.close()
		st.say("go")
		synctest.Wait()
		require.Len(t, st.model.requests(), 2)
		require.Equal(t, []lifecycle.Warned{{Kind: lifecycle.WarnSearch, Message: "test/m " + why}}, st.last().Warnings)
	})
}

func TestARequestForASummaryOffersNoSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("one"), says("the words"))
		st.search = func() *WebSearch { return &WebSearch{} }
		st.open()
		defer st.close()
		st.say("go")
		synctest.Wait()
		st.wish("")
		asked := st.model.requests()
		require.Len(t, asked, 2)
		require.NotNil(t, asked[0].Search)
		require.True(t, AsksForSummary(asked[1]))
		require.Nil(t, asked[1].Search)
	})
}
