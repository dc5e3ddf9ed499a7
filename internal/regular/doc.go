// Package regular opens and reads regular files, and never waits: what anybody may have
// put in the place of a file, a pipe that nobody writes to above all, is an error.
//
//	path ─► open, without waiting ─► what was opened: a regular file? ─► its text, up to a limit
package regular
