// Package git reads what a checkout's files say of git without running git, and runs
// it so that a checkout's own settings start nothing.
//
//	folder ─► Look: each .git from here up, its configs, what they include, its hooks
//	       ─► Checkout: what there would run programs (Says), and all of what that
//	          depends on (Content), which trust is about
//	       ─► Command: git with options that switch all of it off
//
// A Repository runs those commands: it makes worktrees, counts what is in them and
// removes them when that is nothing.
//
//	Footing: is there a commit, is the index clean ─► Add: worktree and branch, or nothing
//	  ─► Changes: files, lines, commits beyond the first ─► none: Remove, which looks once
//	     more; some: it stays, until it is merged, or Discard
//
//	Seal: git add and git commit of a model's, bound to one worktree and its branch
//
// Git's settings can name programs in many ways, and new ones come with its versions.
// So it is not a list of dangerous keys that decides but one of harmless ones
// (harmless.go): what Pawl does not know is shown.
package git
