//go:build unix

package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Binary builds Pawl once a test process, with the race detector if the tests have
// it, and gives its path.
var Binary = sync.OnceValues(func() (string, error) { return Build("pawl", ".") })

// Installed is Pawl as `make build` makes it, for what is measured.
var Installed = sync.OnceValues(func() (string, error) {
	return Build("pawl-installed", ".", "-tags", "grpcnotrace", "-ldflags=-s -w", "-race=false")
})

// WithFailpoints is Pawl with the points at which a test can kill it. It is started
// some hundred times to be killed, so it goes without the race detector, which costs
// four times the processor: the stories that it plays are watched with the other one.
var WithFailpoints = sync.OnceValues(func() (string, error) {
	return Build("pawl-failpoint", ".", "-tags", "failpoint,grpcnotrace", "-race=false")
})

// Build builds a program of this module, with the race detector if the tests have it
// and no flag says otherwise.
func Build(name, folder string, flags ...string) (string, error) {
	if err := buildFolder(); err != nil {
		return "", err
	}
	path := built.path + "/" + name
	args := []string{"build", "-buildvcs=false", "-o", path} // no commit, as in the tests' own process
	watched := raced() && !slices.Contains(flags, "-race=false")
	if watched {
		args = append(args, "-race")
		args = append(args, strings.Fields(os.Getenv("UNWATCHED"))...) // as `make test` builds the tests
	} else {
		args = append(args, "-trimpath") // as it is installed: what `make build` compiled serves here too
	}
	args = append(args, flags...)
	command := exec.CommandContext(context.Background(), "go", append(args, folder)...)
	if !watched {
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return path, nil
}

// built is the folder of the binaries, once there is one.
var built struct {
	sync.Mutex
	path string
}

func buildFolder() (err error) {
	built.Lock()
	defer built.Unlock()
	if built.path == "" {
		built.path, err = os.MkdirTemp("", "pawl-test-")
	}
	return err
}

// raced says that the tests have the race detector.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func sweep() {
	if built.path != "" {
		_ = os.RemoveAll(built.path) // a temporary folder: the system would sweep it too
	}
}
