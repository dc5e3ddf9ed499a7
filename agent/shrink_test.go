package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// talk is a conversation of n steps, each with two calls whose results take so
// many tokens.
func talk(n, tokens int) []Message {
	messages := []Message{Say("the summary before"), Say("go")}
	for i := range n {
		a, b := call(fmt.Sprint("a", i), "look"), call(fmt.Sprint("b", i), "look")
		messages = append(messages,
			Message{Role: RoleAssistant, Parts: []Part{{Text: fmt.Sprint("step ", i)}, {Call: &a}, {Call: &b}}},
			Message{Role: RoleTool, Parts: []Part{
				{Result: &CallResult{Call: a.ID, Text: pages(tokens), Images: []Image{{}}}},
				{Result: &CallResult{Call: b.ID, Text: pages(tokens)}},
			}})
	}
	return messages
}

func TestAShortenedConversationFitsAndIsStillOne(t *testing.T) {
	whole := talk(10, 5_000)
	before := fmt.Sprint(whole)
	for most := int64(2_500); most < 2*estimate(whole); most = most * 3 / 2 {
		for _, summed := range []bool{true, false} {
			short := shortened(whole, summed, most)
			require.LessOrEqual(t, estimate(short), most, "room %d", most)
			require.Equal(t, RoleUser, short[0].Role)
			if summed {
				require.Equal(t, "the summary before", short[0].Text())
			}
			for i, m := range short[1:] {
				require.Equal(t, m.Role == RoleTool, short[i].Role == RoleAssistant, "a result follows its call, and nothing else does")
			}
			require.Empty(t, Unanswered(short))
			last := short[len(short)-1]
			require.Len(t, last.Parts, 2, "the newest results are there")
		}
	}
	require.Equal(t, before, fmt.Sprint(whole), "nothing of the conversation itself is changed")
}

func TestOldResultsAreShortenedBeforeNewOnesAndBeforeAnythingIsLeftOut(t *testing.T) {
	whole := talk(4, 5_000)
	short := shortened(whole, true, estimate(whole)/2)
	require.Len(t, short, len(whole))
	cut := func(m Message) bool {
		return strings.Contains(m.Parts[0].Result.Text, "bytes left out") && m.Parts[0].Result.Images == nil
	}
	results := slices.DeleteFunc(slices.Clone(short), func(m Message) bool { return m.Role != RoleTool })
	require.True(t, cut(results[0]))
	require.False(t, cut(results[3]))
	require.Equal(t, whole, shortened(whole, true, estimate(whole)))
}

func TestTheLeastThatIsKeptIsTheNewestMessage(t *testing.T) {
	short := shortened([]Message{Say("old"), {Role: RoleAssistant, Parts: []Part{{Text: "yes"}}}, Say(pages(1000))}, false, 10)
	require.Len(t, short, 2)
	require.Equal(t, pages(1000), short[1].Text())
}

func TestHeadAndTailKeepWholeCharacters(t *testing.T) {
	text := strings.Repeat("é→", 1000)
	for most := range 40 {
		cut := headAndTail(text, most)
		require.True(t, utf8.ValidString(cut), most)
		require.Contains(t, cut, "bytes left out")
	}
	require.Equal(t, text, headAndTail(text, len(text)))
	require.Equal(t, "aaaa\n[… 94 bytes left out …]\nzz", headAndTail("aaaa"+strings.Repeat("-", 94)+"zz", 6))
}
