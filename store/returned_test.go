package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// returnedTexts are the texts of the messages that nobody has taken back.
func returnedTexts(t *testing.T, s *Store, root lc.SessionID) (texts []string) {
	t.Helper()
	records, err := s.Returned(t.Context(), root)
	require.NoError(t, err)
	for _, rec := range records {
		back, is := rec.Event.(lc.MessageWithdrawn)
		require.True(t, is)
		texts = append(texts, back.Text)
	}
	return texts
}

func TestAMessageThatComesBackIsGivenUntilADraftHoldsIt(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("dig").into(s)
	back := func(id lc.MessageID, from, text string) lc.Event {
		return lc.MessageWithdrawn{Message: id, Returned: true, From: from, Text: text}
	}
	j.mark(j.session("dig"), j.id("dig"), back("b", lc.FromUser, "to the subagent"))
	j.mark(j.root, j.id("p1"), back("c", lc.FromUser, "first"), back("a", lc.FromUser, "second"), back("d", lc.FromAgent, "a model's"),
		lc.MessageWithdrawn{Message: "e", From: lc.FromUser, Text: "deleted"})
	j.into(s)
	require.Equal(t, []string{"to the subagent", "first", "second"}, returnedTexts(t, s, j.root))
	require.NoError(t, s.SetDraft(t.Context(), Draft{Session: j.root, Fact: "draft", Value: "first\nmore", Back: []lc.MessageID{"c"}}))
	value, err := s.SessionFact(t.Context(), j.root, "draft")
	require.NoError(t, err)
	require.Equal(t, "first\nmore", value)
	require.Equal(t, []string{"to the subagent", "second"}, returnedTexts(t, s, j.root))
	require.NoError(t, s.SetDraft(t.Context(), Draft{Session: j.session("dig"), Fact: "drafts", Shared: true, Value: "{}", Back: []lc.MessageID{"b"}}))
	require.Equal(t, []string{"second"}, returnedTexts(t, s, j.root))
	value, err = s.Fact(t.Context(), "drafts")
	require.NoError(t, err)
	require.Equal(t, "{}", value)
}

func TestAForkTakesNoMessageBackThatWaitsInItsOriginal(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, lc.NewSessionID()).parent().into(s)
	fork := forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: j.root}})
	runs, err := s.Runs(t.Context(), fork, 0, 0)
	require.NoError(t, err)
	last, err := s.LastSeq(t.Context(), fork)
	require.NoError(t, err)
	f := newJournal(t, fork)
	f.seq = last
	f.runs[runs[0].ID] = runs[0]
	f.mark(fork, runs[0].ID, lc.MessageWithdrawn{Message: "m", Returned: true, From: lc.FromUser, Text: "and hurry"}).into(s)
	require.Empty(t, returnedTexts(t, s, fork))
}
