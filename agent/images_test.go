package agent

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
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
	}, stripImages(messages, func(Image) string { return imageOmitted }))
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

// drawn is an image of this width, in one colour.
func drawn(t *testing.T, width int) Image {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 1))))
	return Image{MediaType: "image/png", Data: b.Bytes()}
}

// looking gives the images one by one.
func looking(all ...Image) Tool {
	return Tool{Spec: ToolSpec{Name: "look"}, ReadOnly: true, Run: func(context.Context, Invocation) Result {
		next := all[0]
		all = all[1:]
		return Result{Text: "seen", Images: []Image{next}}
	}}
}

// refusal is what a server says of a request that it does not take.
func refusal(status int, said string) turnOf { return failing(StatusError(status, 0, said, nil)) }

// sent are the images of each request.
func sent(m *model) (all [][]Image) {
	for _, req := range m.requests() {
		all = append(all, imagesIn(req.Messages))
	}
	return all
}

func TestAnImageThatAServerRefusesFailsNoFurtherRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad, good := drawn(t, 10), drawn(t, 20)
		st := newStage(t, calling(call("1", "look")), refusal(400, "messages.2.content.0: Could not process image"), says("one"),
			says("two"), calling(call("2", "look")), says("three"))
		st.gate, st.tools = &Gate{}, []Tool{looking(bad, good)}
		st.open()
		defer st.close()
		warning := []lifecycle.Warned{{Kind: lifecycle.WarnImages, Message: "test/m refuses some of the images; it is asked without them"}}
		for _, said := range []string{"one", "two", "three"} {
			st.say("go")
			synctest.Wait()
			require.Equal(t, said, st.last().Result)
			require.Equal(t, warning, st.last().Warnings)
		}
		require.Equal(t, [][]Image{nil, {bad}, nil, nil, nil, {good}}, sent(st.model), "another image may be taken")
		require.Equal(t, "seen\n"+imageRefused, st.model.requests()[2].Messages[2].Parts[0].Result.Text)
		require.Equal(t, []lifecycle.Waiting{{Why: "messages.2.content.0: Could not process image (HTTP 400); asking again without images", Discarded: true}}, st.waits())
		require.Equal(t, []Image{bad}, st.transcript()[2].Parts[0].Result.Images, "the transcript is as it was")
	})
}

func TestAModelThatRefusesAllImagesIsSentNoFurtherOne(t *testing.T) {
	for said, status := range map[string]int{
		"Failed to deserialize the JSON body into the target type: messages[2]: unknown variant `image_url`, expected `text`": 400,
		"this model does not support image input":                      422,
		"No endpoints found that support image input":                  404,
		"image input is not supported - hint: provide the mmproj":      500,
		"At most 0 image(s) may be provided in one prompt":             400,
		"this model is missing data required for image input":          400,
		"some-model is not a multimodal model":                         400,
		"Invalid content type. image_url is not supported here":        400,
		"This model doesn't support images. Remove them and try again": 400,
	} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t, calling(call("1", "look")), refusal(status, said), calling(call("2", "look")), says("done"), says("more"))
			st.gate, st.tools = &Gate{}, []Tool{looking(drawn(t, 10), drawn(t, 20))}
			st.open()
			defer st.close()
			for _, want := range []string{"done", "more"} {
				began := time.Now()
				st.say("go")
				synctest.Wait()
				require.Equal(t, want, st.last().Result, said)
				require.Zero(t, time.Since(began), "nothing is waited for")
				require.Equal(t, []lifecycle.Warned{{Kind: lifecycle.WarnImages, Message: "test/m refuses images; it is asked without"}}, st.last().Warnings)
			}
			require.Len(t, st.model.requests(), 5)
			for _, images := range sent(st.model)[2:] {
				require.Empty(t, images, said)
			}
			require.Equal(t, "seen\n"+imageOmitted, st.model.requests()[4].Messages[4].Parts[0].Result.Text)
		})
	}
}

func TestOfManyImagesTheLargeOnesAreLeftOutFirst(t *testing.T) {
	const many = "messages.2: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"
	large, small := drawn(t, manyWidest+1), drawn(t, manyWidest)
	request := []Message{{Role: RoleUser, Parts: []Part{{Image: &large}, {Image: &small}}}}
	var s imageRefusals
	require.True(t, s.learn("test/m", request, StatusError(400, 0, many, nil)))
	require.Equal(t, []string{imageRefused, ""}, []string{s.replaced("test/m", large), s.replaced("test/m", small)})
	require.Empty(t, s.replaced("test/other", large), "another model may take it")
	require.True(t, s.learn("test/m", []Message{{Role: RoleUser, Parts: []Part{{Image: &small}}}}, StatusError(400, 0, many, nil)))
	require.Equal(t, imageRefused, s.replaced("test/m", small))
}

func TestWhatIsNotAboutImagesIsLeftAsItIs(t *testing.T) {
	one := drawn(t, 1)
	request := []Message{{Role: RoleUser, Parts: []Part{{Image: &one}}}}
	for name, err := range map[string]error{
		"another fault": StatusError(400, 0, "tools.3: bad", nil), "a broken server": StatusError(500, 0, "image worker crashed", nil),
		"a key": StatusError(401, 0, "no image for you", nil), "a limit": StatusError(429, 0, "too many images", nil),
		"a name": StatusError(404, 0, "model flash-image not found", nil), "a lost line": errors.New("image"),
		"too long": &ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "prompt is too long with its images"},
	} {
		require.False(t, new(imageRefusals).learn("test/m", request, err), name)
	}
	require.False(t, new(imageRefusals).learn("test/m", []Message{Say("go")}, StatusError(400, 0, "image", nil)), "there is none")
	for _, said := range []string{"image/bmp: does not support image format", "Invalid MIME type: image is not supported", "image exceeds 5 MB maximum"} {
		var s imageRefusals
		require.True(t, s.learn("test/m", request, StatusError(400, 0, said, nil)))
		other := drawn(t, 2)
		require.Equal(t, []string{imageRefused, ""}, []string{s.replaced("test/m", one), s.replaced("test/m", other)}, said)
	}
}
