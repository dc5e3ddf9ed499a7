// Package rewind says what taking a session back to before a record would do to the files of a folder
// as they are now, and what the model is told of it.
//
//	lifecycle/files: Log.TakeBack ─┐
//	what stands on the disk now ───┴─► Make: each file put back · so already · left, and why
//	                 chosen paths ──► Plan.With ──► what tools/apply puts in place, what is skipped
//
// It changes nothing.
package rewind
