package modeltest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The server sees through a broken history; without that, no other test here
// would prove anything.
func TestModelServerRefusesBrokenHistories(t *testing.T) {
	asking := Message{Role: "assistant", Calls: []Call{{ID: "a", Name: "read", Input: "{}"}, {ID: "b", Name: "list", Input: "{}"}}}
	answer := func(ids ...string) Message {
		m := Message{Role: "tool"}
		for _, id := range ids {
			m.Results = append(m.Results, Result{Call: id, Text: "fine"})
		}
		return m
	}
	user := Message{Role: "user", Text: "go"}
	require.Empty(t, checkHistory([]Message{user, asking, answer("a", "b"), user}))
	for name, history := range map[string][]Message{
		"no message":          {},
		"nothing to answer":   {user, {Role: "assistant", Text: "done"}},
		"a missing result":    {user, asking, answer("a")},
		"no result at all":    {user, asking, user},
		"results out of turn": {user, asking, answer("b", "a")},
		"one too many":        {user, asking, answer("a", "b", "b")},
		"a result of nothing": {user, answer("a")},
		"an empty result":     {user, asking, {Role: "tool", Results: []Result{{Call: "a", Text: " "}, {Call: "b", Text: "x"}}}},
		"an empty message":    {user, {Role: "assistant", Text: " "}, user},
		"an id twice":         {user, asking, answer("a", "b"), asking, answer("a", "b")},
	} {
		require.NotEmpty(t, checkHistory(history), name)
	}
}
