// Package folderwatch finds what a command changed in a folder, by comparing the folder before and
// after it.
//
//	session ─► Set ─► Watch, one a folder: a table of its files, by name, size, times, inode and mode
//
//	the model thinks      Refresh: what others changed meanwhile is taken into the table, and the
//	                      bytes of what git does not hold are kept
//	a command begins      Begin: only the time is noted; a refresh goes on beside the command
//	the command ends      End: one walk. What differs from the table and was changed since the
//	                      command began is its own: the bytes before are found, those after kept
//	                      ─► lifecycle.FilesChanged
//
// No walk stands before a command, so what a person saves between the last refresh and the command
// is told from the command's work by the times at which files were changed (ctime, which nobody
// sets), and only its content before may be missed.
//
// Left out are .git, what ignore files name, and repositories inside a checkout. A folder that is
// too large, or whose times say nothing, is not watched, and each command says so.
package folderwatch
