// Package update takes a newer release of this program, when a person asks for it, in place of the
// file that runs, and takes the one before back.
//
//	ADDRESS/checksums.txt + .minisig ─► the pinned key's signature ─► the newest release
//	                                                                     │
//	ADDRESS/ARCHIVE of this system ─► its hash ─► a file beside the program ─► started once
//	                                                                     │
//	                                    the program is NAME.previous, the file is the program
//
// Nothing that the address gives is believed, not even a version to print, before its signature
// is checked; nothing in the place of the program is touched before all else is done. The last step
// is one rename: a process that runs goes on with the file that it began with.
package update
