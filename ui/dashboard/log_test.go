package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func recordOf(seq lifecycle.Seq, session lifecycle.SessionID, view []byte) lifecycle.Record {
	return lifecycle.Record{Seq: seq, Session: session, Run: lifecycle.RunID("run " + session), Event: lifecycle.ToolEnded{Status: lifecycle.ToolOK, View: view}}
}

// What a session has planned and changed is what its calls say, each record once and in order.
func TestTheLogKnowsThePlanAndTheFilesOfEachSession(t *testing.T) {
	var l Log
	diff := func(path string, added, removed int) []byte {
		return agent.EncodeView(agent.DiffView{Path: path, Added: added, Removed: removed, Diff: strings.Repeat("+\n", 9)})
	}
	plan := func(items ...string) []byte {
		var v agent.TodoView
		for _, text := range items {
			v.Items = append(v.Items, agent.TodoItem{Text: text})
		}
		return agent.EncodeView(v)
	}
	for i, rec := range []lifecycle.Record{
		recordOf(0, "a", diff("x.go", 2, 1)), recordOf(0, "b", plan("one", "two")), recordOf(0, "a", diff("y.go", 5, 0)),
		recordOf(0, "a", diff("x.go", 1, 1)), recordOf(0, "b", plan("three")), recordOf(0, "b", agent.EncodeView(agent.PlainView{Text: `{"kind":"todo"}`})),
		recordOf(0, "b", []byte(`{"kind": "todo", "view": {"items": "damaged"`)), recordOf(0, "b", nil),
	} {
		rec.Seq = lifecycle.Seq(i + 1)
		l.Fold(rec)
		l.Fold(rec) // it has come already
	}
	l.Fold(recordOf(99, "a", diff("ahead.go", 1, 1)))
	require.Equal(t, []File{{Path: "y.go", Added: 5}, {Path: "x.go", Added: 3, Removed: 2}}, l.Work("a").Files)
	require.Equal(t, []agent.TodoItem{{Text: "three"}}, l.Work("b").Todo)
	require.Empty(t, l.Work("nobody"))
	for i := range 2 * mostFiles {
		l.Fold(recordOf(l.Seq+1, "a", diff(fmt.Sprint(i), 1, 0)))
	}
	require.Len(t, l.Work("a").Files, mostFiles)
	require.Equal(t, fmt.Sprint(2*mostFiles-1), l.Work("a").Files[mostFiles-1].Path)
}
