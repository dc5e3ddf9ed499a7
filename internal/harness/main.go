//go:build unix

package harness

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package in the root of the repository, where the program is built
// and the pages stand, and never returns. It calls after when they are through, if it is there,
// and ends with a look at what is left: a test that leaves a goroutine behind has left a
// connection, a terminal or a process.
func Main(m *testing.M, after func()) {
	if err := toTheRoot(); err != nil {
		panic(err)
	}
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) { // under nohup, or as a script's background job: what is started here would inherit that
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if after != nil {
			after()
		}
		sweep()
		os.Exit(code)
	}))
}

// toTheRoot goes up to the folder of the module.
func toTheRoot() error {
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return os.Chdir(folder)
		}
		if folder == filepath.Dir(folder) {
			return errors.New("no go.mod stands above the tests")
		}
		folder = filepath.Dir(folder)
	}
	return err
}
