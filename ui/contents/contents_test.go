package contents

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/list"
)

func filled(c agent.Context, counted int64) *list.Picker[int] {
	p := &list.Picker[int]{Heads: Heads()}
	Fill(p, c, counted)
	return p
}

func TestEachPartHasItsShareAndTheRestIsFree(t *testing.T) {
	c := agent.Context{Model: "anthropic/x", Limit: 100_000, Parts: []agent.ContextPart{
		{Kind: agent.PartBase, Name: "base prompt", Source: "built in", Text: "You are", Tokens: 400},
		{Kind: agent.PartInstructions, Name: "AGENTS.md", Source: "this project", Text: "use tabs", Tokens: 9_600, Note: "only its first 40.0 KB are given"},
		{Kind: agent.PartInstructions, Name: "web/\x1b[31mAGENTS.md", Source: "this project", Note: "it leads outside"},
	}}
	p := filled(c, 0)
	require.Equal(t, sanitize.Text("Context: about 10k of 100k tokens, 10 %"), p.Title)
	require.Len(t, p.Rows, 4)
	require.Equal(t, []sanitize.Text{"400", "<1 %", "built in"}, p.Rows[0].More)
	require.Equal(t, []sanitize.Text{"9.6k", "9 %", "this project: only its first 40.0 KB are given"}, p.Rows[1].More)
	require.Equal(t, sanitize.Text("web/␛[31mAGENTS.md"), p.Rows[2].Name)
	require.Equal(t, draw.Failure, p.Rows[2].Tone, "nothing of it is given")
	require.Equal(t, []sanitize.Text{"90k", "90 %", "anthropic/x takes 100k"}, p.Rows[3].More)

	p = filled(c, 20_000)
	require.Equal(t, sanitize.Text("Context: 20k of 100k tokens, 20 %"), p.Title, "the provider's count is the sum")
	require.Contains(t, string(p.Aside), "together they are some 10k, the provider counted 20k")
	require.Equal(t, sanitize.Text("80k"), p.Rows[3].More[0])
}

func TestSharesAreOfTheEstimatesWhereTheContextIsNotKnown(t *testing.T) {
	c := agent.Context{Parts: []agent.ContextPart{{Name: "18 tools", Tokens: 4_700}, {Name: "base prompt", Tokens: 1_300}}}
	p := filled(c, 1_200)
	require.Equal(t, sanitize.Text("Context: 1.2k tokens"), p.Title)
	require.Equal(t, sanitize.Text("78 %"), p.Rows[0].More[1])
	require.Equal(t, sanitize.Text("21 %"), p.Rows[1].More[1])
	c.Limit = 4_000
	require.Equal(t, sanitize.Text("100 %"), filled(c, 1_200).Rows[0].More[1], "an estimate may be more than there is room for")
}

func TestWhatIsNotRecordedTakesTheRestOfTheCount(t *testing.T) {
	c := agent.Context{Unknown: "not recorded", Parts: []agent.ContextPart{{Kind: agent.PartSaid, Name: "1 message", Source: "to the model", Tokens: 1_000}}}
	p := filled(c, 5_000)
	require.Equal(t, sanitize.Text("Context: 5.0k tokens"), p.Title)
	require.Equal(t, []sanitize.Text{"4.0k", "80 %", "not recorded"}, p.Rows[0].More)
	require.Len(t, p.Rows, 2, "what the model takes is not known")
	require.Equal(t, sanitize.Text("0"), filled(c, 0).Rows[0].More[0])
}
