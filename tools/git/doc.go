// Package git reads what a checkout's files say without running git, and runs git so that the
// checkout's own settings start no program.
//
//	folder ─► Look: each .git from here up, its configs, what they include, its hooks
//	       ─► Checkout: what would run programs there (Says), and all content that this
//	          depends on (Content), to which trust applies
//	       ─► Command: git with options that turn all of it off
//	       ─► Enclosed: git shows nothing but the checkout, as far as its folders can tell
//
// A Repository runs those commands: it creates worktrees, counts what is in them, and removes
// those that hold nothing.
//
//	StartPoint: is there a commit, is the index clean ─► Add: worktree and branch, or none
//	  ─► Changes: files, lines, commits beyond the first ─► none: Remove, which checks once
//	     more; some: it stays, until it is merged, or Discard
//
//	Seal: a model's git add and git commit, bound to one worktree and its branch
//
// Checkouts travel to other machines (package checkout): State and Gather say what one holds, Pack and
// Take carry commits, AddArrived and Replace make a worktree of what came back. Apart is git in folders
// that Pawl has written itself, where no setting of anybody is in force.
//
// Git's settings can name programs in many ways, and new versions add more. So there is no list
// of dangerous keys but one of harmless ones (harmless.go): settings that Pawl does not know are
// shown.
package git
