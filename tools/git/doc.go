// Package git reads what a checkout's files say of git without running git, and runs
// it so that a checkout's own settings start nothing.
//
//	folder ─► Look: each .git from here up, its configs, what they include, its hooks
//	       ─► Checkout: what there would run programs (Says), and all of what that
//	          depends on (Content), which trust is about
//	       ─► Command: git with options that switch all of it off
//
// Git's settings can name programs in many ways, and new ones come with its versions.
// So it is not a list of dangerous keys that decides but one of harmless ones
// (harmless.go): what Pawl does not know is shown.
package git
