package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestAModelWithoutSightIsToldOfImages(t *testing.T) {
	png := Image{MediaType: "image/png", Data: []byte("x")}
	messages := []Message{
		{Role: RoleUser, Parts: []Part{{Text: "Look:"}, {Image: &png}}},
		{Role: RoleAssistant, Parts: []Part{{Call: &Call{ID: "1", Name: "read"}}}},
		{Role: RoleTool, Parts: []Part{
			{Result: &CallResult{Call: "1", Name: "read", Text: "logo.png", Images: []Image{png, png}}},
			{Result: &CallResult{Call: "2", Name: "read", Images: []Image{png}}},
		}},
	}
	require.Equal(t, []Message{
		{Role: RoleUser, Parts: []Part{{Text: "Look:"}, {Text: "[an image: this model does not take images]"}}},
		messages[1],
		{Role: RoleTool, Parts: []Part{
			{Result: &CallResult{Call: "1", Name: "read", Text: "logo.png\n[an image: this model does not take images]\n[an image: this model does not take images]"}},
			{Result: &CallResult{Call: "2", Name: "read", Text: "[an image: this model does not take images]"}},
		}},
	}, stripImages(messages))
	require.NotNil(t, messages[0].Parts[1].Image, "the transcript is as it was")
	require.Len(t, messages[2].Parts[0].Result.Images, 2)
}

func TestARequestKeepsToWhatTheModelTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "look")), says("done"))
		st.named = "openai/o3-mini"
		st.tools = []Tool{{Spec: ToolSpec{Name: "look"}, ReadOnly: true, Run: func(context.Context, Invocation) Result {
			return Result{Text: "logo.png", Images: []Image{{MediaType: "image/png", Data: []byte("x")}}}
		}}}
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		asked := st.model.requests()
		require.Equal(t, Able, asked[1].Thinking)
		require.Zero(t, asked[1].MaxTokens, "nobody holds its answers to a length")
		kept := asked[1].Messages[2].Parts[0].Result
		require.Equal(t, "logo.png\n[an image: this model does not take images]", kept.Text)
		require.Empty(t, kept.Images)
	})
}
