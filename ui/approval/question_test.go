package approval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestTheNextQuestionTakesThePlaceOfOneThatIsGone(t *testing.T) {
	a, b, c := lifecycle.Question{ID: "a"}, lifecycle.Question{ID: "b"}, lifecycle.Question{ID: "c"}
	var f Front
	require.True(t, f.Follow([]lifecycle.Question{a, b, c}))
	require.Equal(t, a.ID, f.Question)
	f.Walk([]lifecycle.Question{a, b, c}, 1)
	f.Move(b, 1)
	require.False(t, f.Follow([]lifecycle.Question{b, c}), "another one was answered")
	require.True(t, f.Choosing, "and its mark stays")
	require.True(t, f.Follow([]lifecycle.Question{c}))
	require.Equal(t, Front{Question: c.ID}, f, "with nothing of the one before")
	require.True(t, f.Follow(nil))
	require.Equal(t, Front{}, f)
}

func TestAnAnswerHasALetterAndANumber(t *testing.T) {
	q := lifecycle.Question{Tool: "shell", Rules: []string{"shell(ls)"}}
	for i, key := range []string{Once, Turn, Session, Permanent, No, Why} {
		byLetter, is := AnswerOf(q, key)
		require.True(t, is)
		byNumber, is := AnswerOf(q, string(rune('1'+i)))
		require.True(t, is)
		require.Equal(t, byLetter, byNumber)
	}
	q.Each = true
	_, is := AnswerOf(q, Session)
	require.False(t, is, "no yes reaches further than the call")
	var f Front
	require.Equal(t, No, f.Marked(q).Key, "Enter alone allows nothing")
}

func TestOnlyWhatWasThereWhenTheListCameIsChosen(t *testing.T) {
	first := lifecycle.Refusal{Denial: lifecycle.Denial{Tool: "shell", Subject: "curl a", By: "nobody"}}
	later := lifecycle.Refusal{Denial: lifecycle.Denial{Tool: "shell", Subject: "curl b", By: "nobody"}}
	d := NewDenied("s", []lifecycle.Refusal{first})
	require.Equal(t, []lifecycle.Deed{first.Deed()}, d.Chosen([]lifecycle.Refusal{first, later}))
	d.Step([]lifecycle.Refusal{first, later}, 1)
	marked, any := d.Marked([]lifecycle.Refusal{first, later})
	require.True(t, any)
	require.Equal(t, later, marked)
	d.Toggle(marked)
	require.Len(t, d.Chosen([]lifecycle.Refusal{first, later}), 2)
	_, any = d.Marked(nil)
	require.False(t, any, "all was granted by somebody else")
}
