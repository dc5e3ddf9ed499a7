// Package regular opens and reads regular files and never blocks: anything else in the place of
// a file, above all a pipe that nobody writes to, is an error.
//
//	path ─► open, without waiting ─► is it a regular file? ─► its text, up to a limit
package regular
