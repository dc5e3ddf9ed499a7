// Package apply puts many files of a folder in place, all or none.
//
//	Run      check all ─► keep what stands there ─► journal ─► each file ─► record ─► journal away
//	                                                   │ killed here, or refused
//	Recover                                            └─► recorded? journal away : every file back
//
// A file is put in place whole, by a temporary file and a rename below an os.Root. Everything that
// is needed to go on or back is in the file store, and on disk, before the first change. The bytes
// of a person are never lost: a file that is not what was expected is left, and named.
package apply
