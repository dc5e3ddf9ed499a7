// Package command is what the commands of the command line share: their groups, their
// arguments, flags whose value is one of a few words, and how they end.
//
//	cli ─► a command ─► Takes, AddChoice    while cobra reads the words
//	                 ─► Exit(code, error)   when it has run ─► End, which cli.Execute reads
package command
