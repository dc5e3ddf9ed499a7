// Pawl is a coding agent for the terminal, built around delegation.
//
//	flags ─► settings ─► store ─► provider ─► loop ─► supervisor ─► screen or answer
//
// This package connects the rooms and holds nothing else: cli.go is what a person
// can type, base.go and house.go join the rooms, kit.go gives a run its tools,
// guard.go and crash.go keep an end of Pawl from being the user's problem, and the
// other files are a command each.
package main

import (
	"context"
	"os"
	"runtime"

	"pawl/internal/base"
	"pawl/internal/guard"
	helper "pawl/internal/launch"
)

func main() {
	helper.Main()            // this program is the helper around each command too, which ends here
	guard.Main()             // and the guard, which ends here
	runtime.UnlockOSThread() // both stay on the first thread
	guard.StartLightly()
	w := base.Standard()
	code := execute(context.Background(), os.Args[1:], w)
	w.Crash.Close()
	w.Guard.Tell(guard.InOrder)
	os.Exit(code)
}
