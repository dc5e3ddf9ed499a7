// Package command is what the commands of the command line share: their groups, their
// arguments, flags whose value is one of a few words, and how they run and end.
//
//	cli ─► Execute ─► a command ─► Takes, AddChoice    while cobra reads the words
//	                            ─► an error, with Ended one that has an exit code ─► ExitCode
package command
