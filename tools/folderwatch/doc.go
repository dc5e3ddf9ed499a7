// Package folderwatch finds what a command changed in a folder, by comparing the folder before and
// after it.
//
//	session ─► Set ─► Watch, one a folder: a table of its files, by name, size, times, inode and mode
//
//	the model thinks      Refresh: what others changed meanwhile is taken into the table, and the
//	                      bytes of what git does not hold are kept
//	a command begins      Begin: only the time is noted; a refresh goes on beside the command
//	the command ends      End: one look. What differs from the table and was changed since the
//	                      command began is its own: the bytes before are found, those after kept
//	                      ─► lifecycle.FilesChanged
//
// Nothing is looked at before a command, so what a person saves between the last refresh and the command
// is told from the command's work by the times at which files were changed (ctime, which nobody
// sets), and only its content before may be missed.
//
// Where it can, a look goes only to the folders in which something was changed, as the kernel tells
// (inotify, on local file systems of Linux, from the first command on). That chooses where to look,
// and nothing else: what was changed is found by comparing. Everything is looked at where the kernel
// does not tell, where more was told than its queue holds, and each half minute beside a command.
//
// Not told is what is written through a map of memory that is still there when the command has ended, and
// what is written by another name of a file (a hard link) that is not watched, or no longer there.
// The next look at everything finds it, and then nobody is taken for its writer.
//
// Left out are .git, what ignore files name, and repositories inside a checkout. A folder that is
// too large, or whose times say nothing, is not watched, and each command says so.
package folderwatch
