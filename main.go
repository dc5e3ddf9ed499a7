// Pawl is a coding agent for the terminal, built around delegation. docs/house.md says what
// stands where.
package main

import (
	"context"
	"os"
	"runtime"

	"pawl/internal/base"
	"pawl/internal/cli"
	"pawl/internal/front"
	"pawl/internal/guard"
	helper "pawl/internal/launch"
)

func main() {
	helper.Main()            // this program is the helper around each command too, which ends here
	front.Main()             // and the process at the terminal, which ends here
	guard.Main()             // and the guard, which ends here
	runtime.UnlockOSThread() // all of them stay on the first thread
	guard.StartLightly()
	w := base.Standard()
	code := cli.Execute(context.Background(), os.Args[1:], w)
	w.Crash.Close()
	w.Guard.Tell(guard.InOrder)
	w.Front.End(code, "", true)
	os.Exit(code)
}
