package acp

import (
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestADiffIsShownAsTextsBeforeAndAfter(t *testing.T) {
	s := &session{Session: &Session{Folder: "/work"}}
	head := "--- a/x.go\n+++ b/x.go\n"
	for name, row := range map[string]struct {
		view agent.DiffView
		want []sdk.ToolCallContent
	}{
		"one place": {
			agent.DiffView{Path: "x.go", Diff: head + "@@ -1,3 +1,3 @@\n a\n-\tb\n+\tc\n d\n"},
			[]sdk.ToolCallContent{sdk.ToolDiffContent("/work/x.go", "a\n\tc\nd\n", "a\n\tb\nd\n")},
		},
		"two places": {
			agent.DiffView{Path: "x.go", Diff: head + "@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9 @@\n x\n-y\n"},
			[]sdk.ToolCallContent{sdk.ToolDiffContent("/work/x.go", "b\n", "a\n"), sdk.ToolDiffContent("/work/x.go", "x\n", "x\ny\n")},
		},
		"lines that look like heads": {
			agent.DiffView{Path: "/far/x.sql", Diff: head + "@@ -1 +1 @@\n--- a\n+++ b\n"},
			[]sdk.ToolCallContent{sdk.ToolDiffContent("/far/x.sql", "++ b\n", "-- a\n")},
		},
		"a new file": {
			agent.DiffView{Path: "x.go", New: true, Diff: head + "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"},
			[]sdk.ToolCallContent{sdk.ToolDiffContent("/work/x.go", "a\nb\n")},
		},
		"one that was cut": {
			agent.DiffView{Path: "x.go", Diff: head + "@@ -1,9 +1,9 @@\n a\n-b\n(cut)\n"},
			[]sdk.ToolCallContent{prose("```diff\n" + head + "@@ -1,9 +1,9 @@\n a\n-b\n(cut)\n```")},
		},
		"none": {
			agent.DiffView{Path: "x.go", Diff: "(the difference cannot be shown)"},
			[]sdk.ToolCallContent{prose("```diff\n(the difference cannot be shown)\n```")},
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.want, s.content(row.view)) })
	}
}

func FuzzADiffOfAnybodysIsRead(f *testing.F) {
	f.Add("@@ -1 +1 @@\n-a\n+b\n")
	f.Add("@@ -1,-2 +1 @@\n\n")
	f.Add("@@ -1 +1 @@\n")
	f.Fuzz(func(t *testing.T, diff string) {
		for _, h := range hunksOf(diff) {
			require.LessOrEqual(t, h.old.Len()+h.fresh.Len(), 2*len(diff))
		}
	})
}
