// Package cli turns the words of a command line into commands, and prints their answers.
//
//	words ─► cobra ─► a command, its flags filled in ─► internal/app, host, doctor, stored
//	  ─► an exit code, and one line on standard error where something went wrong
//
// Each command is a constructor in a file of its own, newXCommand, beside the options that its
// flags fill in. The tree of them is all there is to know of the command line: help, what a shell
// completes and the manual page are made from it. The command without a name is its root.
package cli
