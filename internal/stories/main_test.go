package stories

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	helper "pawl/internal/launch"
)

// TestMain ends with a look at what is left: a test that leaves a goroutine behind
// has left a connection, a terminal or a process.
func TestMain(m *testing.M) {
	helper.Main()
	if err := os.Chdir("../.."); err != nil { // where the program is built, and the pages stand
		panic(err)
	}
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) { // under nohup, or as a script's background job: what is started here would inherit that
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		printAims(os.Stdout)
		sweepBinary()
		os.Exit(code)
	}))
}
