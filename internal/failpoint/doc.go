// Package failpoint names the places at which a test can make the real program
// die, and how. It exists in a build with the tag failpoint only: anywhere else
// On is false, and the compiler leaves the calls out.
//
//	go build -tags failpoint -o pawl .
//	FAILPOINTS="store.after.ended=kill@2 worker=panic" ./pawl -p "…"
//
// Points are reached by name and counted; name=action@n acts at the n-th time,
// without @n at the first. The actions:
//
//	kill     SIGKILL to this very process: nothing of it says another word
//	hang     the goroutine that reached the point goes no further
//	exit     os.Exit(7), as a library might
//	panic    a panic on the goroutine that reached the point
//	crash    a panic on a goroutine that nobody recovers
//
// The points:
//
//	store.before.EVENT   a transaction with such a record is about to begin
//	store.inside.EVENT   it is written and not yet committed
//	store.after.EVENT    it is on disk, and nobody has been told
//	worker               a run's worker has begun
//	tool.NAME            that tool is about to run
//	change.announced     a file is about to be changed, and what it held is kept
//	change.made          it is changed, and nothing is recorded of that
//	apply.STEP           a landing or a rewind is under way: journal, staged, file, record,
//	                     recorded; apply.undone: one of its files was looked at to put it back
//	landing.applied      the files of a landing are in place
//	landing.committed    its commit is on the branch
//	landing.recorded     the log has it, and worktree and index are as before
//	landing.removed      the worktree is gone, and git's index is as before
//	export               an export has its hidden file, and nothing is in it
package failpoint
