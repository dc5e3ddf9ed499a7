// Package place opens the folder in which a file is to be put, and puts a file in place there: what
// every writer into a folder of other people needs to be led nowhere else.
//
//	root, "a/b" ─► Folder: part by part, none a link ─► an os.Root of a/b
//	temporary file ─► CopyOwner ─► Unmoved ─► rename ─► SyncFolder
package place
