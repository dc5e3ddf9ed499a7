//go:build !windows

package start

import (
	"context"
	"os"
	"runtime"

	"pawl/internal/base"
	"pawl/internal/cli"
	"pawl/internal/guard"
	"pawl/internal/launch"
)

// Main is all that the program does. It returns the exit code.
func Main() int {
	launch.Main()            // the helper around each command ends here
	guard.Main()             // and the guard here
	runtime.UnlockOSThread() // both stay on the first thread
	guard.StartLightly()
	w := base.Standard()
	code := cli.Execute(context.Background(), os.Args[1:], w)
	w.Crash.Close()
	w.Guard.Tell(guard.InOrder)
	return code
}
