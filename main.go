// Pawl is a coding agent for the terminal, built around delegation.
//
//	flags ─► settings ─► store ─► provider ─► loop ─► supervisor ─► screen or answer
//
// This package connects the rooms and holds nothing else: cli.go is what a person
// can type, base.go and house.go join the rooms, kit.go gives a run its tools, and
// the other files are a command each.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], stdWorld()))
}
