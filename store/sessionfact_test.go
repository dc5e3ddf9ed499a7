package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATodoListLivesAndGoesWithItsSession(t *testing.T) {
	s := open(t, file(t))
	root := newJournal(t, "root").parent().into(s).root
	require.NoError(t, s.SetSessionFact(t.Context(), root, FactTodo, "[1]"))
	require.NoError(t, s.SetSessionFact(t.Context(), root, FactTodo, "[2]"))
	value, err := s.SessionFact(t.Context(), root, FactTodo)
	require.NoError(t, err)
	require.Equal(t, "[2]", value)
	require.Error(t, s.SetSessionFact(t.Context(), "nobody", FactTodo, "[]"), "there is no such session")
	require.NoError(t, s.Remove(t.Context(), root))
	value, err = s.SessionFact(t.Context(), root, FactTodo)
	require.NoError(t, err)
	require.Empty(t, value)
}
