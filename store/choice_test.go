package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAChosenModelIsTheSessionsAndTheLastUsed(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "one").parent().into(s)
	require.NoError(t, s.ChooseModel(t.Context(), j.root, "ollama/qwen3"))
	s = reopen(t, s)
	own, err := s.SessionFact(t.Context(), j.root, FactModel)
	require.NoError(t, err)
	require.Equal(t, "ollama/qwen3", own)
	last, err := s.LastModel(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ollama/qwen3", last)

	require.NoError(t, open(t, file(t)).ChooseModel(t.Context(), "new", "demo"), "of a session that nobody has written to")
}
