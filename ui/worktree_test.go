package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestACardSaysWhichBranchItsRunIsOnAndWhatIsLeftThere(t *testing.T) {
	s := newScreen(t, 120, 30)
	s.ask("go")
	s.log("cart", "run cart", lifecycle.Spawned{Spec: lifecycle.Spec{
		Root: root, Parent: root, ParentRun: "r1", Call: "c1", Type: "general", Description: "cart", Trigger: lifecycle.TriggerAgent,
		Folder: "/trees/cart-1", Branch: "pawl/cart-1", Isolation: lifecycle.IsolationWorktree, Background: true,
	}})
	s.log(root, "r1", lifecycle.ToolStarted{Call: "c1", Tool: "agent", Label: "cart"})
	s.log("cart", "run cart", lifecycle.Started{})
	s.log("cart", "run cart", lifecycle.Warned{Kind: lifecycle.WarnWriteOverlap, Message: "cart.go is also changed by the parent"})
	require.Contains(t, s.text(), "on pawl/cart-1")
	require.Contains(t, s.text(), "write overlap")
	require.NotContains(t, s.text(), "worktree (pawl/cart-1)")
	s.open = "cart"
	s.picture.ready = false
	require.Contains(t, s.text(), "worktree (pawl/cart-1)")
	require.Equal(t, "/trees/cart-1", s.workplace(s.open))
	s.open = root
	w := lifecycle.Worktree{Path: "/trees/cart-1", Branch: "pawl/cart-1", Kept: true, Files: 2, Added: 5, Removed: 1, Commits: 1}
	s.log("cart", "run cart", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Done.", Worktree: &w})
	require.Contains(t, s.text(), "worktree: branch pawl/cart-1, 2 files +5 −1, 1 commit, kept in /trees/cart-1")
	require.NotContains(t, s.text(), "write overlap")
}
