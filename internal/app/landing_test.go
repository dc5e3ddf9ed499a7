package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/landing"
	"pawl/lifecycle"
)

func TestWhyASubagentsChangesCannotBeLandedIsOneLine(t *testing.T) {
	apart := lifecycle.Spec{Description: "fix it", Isolation: lifecycle.IsolationWorktree}
	kept := &lifecycle.Worktree{Kept: true}
	for want, run := range map[string]lifecycle.Run{
		`the subagent "fix it" worked in the folder itself, so there is nothing to land`:                             {Spec: lifecycle.Spec{Description: "fix it"}, State: lifecycle.StateCompleted},
		`the subagent "fix it" is still at work in its worktree: stop it, or wait until it has ended, and land then`: {Spec: apart, State: lifecycle.StateRunning},
		`everything that the subagent "fix it" changed is landed, and its worktree is removed`:                       {Spec: apart, State: lifecycle.StateCompleted, Worktree: kept, Landing: &lifecycle.Landing{Removed: true}},
		`the subagent "fix it" changed nothing in its worktree, so there is nothing to land`:                         {Spec: apart, State: lifecycle.StateCompleted, Worktree: &lifecycle.Worktree{}},
	} {
		require.EqualError(t, landable(run), want)
	}
	require.NoError(t, landable(lifecycle.Run{Spec: apart, State: lifecycle.StateCompleted, Worktree: kept}))
	require.NoError(t, landable(lifecycle.Run{Spec: apart, State: lifecycle.StateInterrupted}), "its process died, and the worktree is still there")
}

func TestWhyAFileHasNoLinesToShowIsSaid(t *testing.T) {
	file := lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: "a", Size: 2000}
	other := lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: "b", Size: 3000}
	for want, f := range map[string]landing.File{
		"binary content is not shown: 2.0 KB before, 2.9 KB after": {Binary: true, Before: file, After: other},
		"it is a symbolic link":                {Before: lifecycle.FileState{}, After: lifecycle.FileState{Kind: lifecycle.FileLink, Hash: "c"}},
		"it was renamed from old.go":           {From: "old.go", Before: file, After: file},
		"its permissions alone were changed":   {Before: file, After: lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: "a", Mode: 0o700}},
		"it is too large to be shown":          {Before: file, After: other},
		"it is another repository: not landed": {State: landing.Left, Why: "it is another repository: not landed"},
	} {
		require.Equal(t, want, diffOf(f).Why)
	}
	shown := diffOf(landing.File{Path: "a.go", Hunks: []landing.Hunk{{Text: "@@ -1 +1 @@\r\n-a\r\n+b\r\n"}}, Added: 1, Removed: 1})
	require.Equal(t, "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-a\n+b\n", shown.Text)
}
