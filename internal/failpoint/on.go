//go:build failpoint

package failpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// On says whether this build has points.
const On = true

// points are read when the first one is reached, by Pawl: its guard hands the variable
// on. Its name is not that of a setting, which would be refused as unknown.
var points = sync.OnceValue(readPoints)

// readPoints takes the variable out of the environment: it is no setting, and not
// for the programs that Pawl starts.
func readPoints() map[string]*point {
	all := map[string]*point{}
	defer os.Unsetenv("FAILPOINTS")
	for _, one := range strings.Fields(os.Getenv("FAILPOINTS")) {
		name, action, _ := strings.Cut(one, "=")
		action, at, _ := strings.Cut(action, "@")
		left, err := strconv.Atoi(at)
		if err != nil {
			left = 1
		}
		all[name] = &point{action: action, left: left}
	}
	return all
}

type point struct {
	mu     sync.Mutex
	action string
	left   int // how often it is still to be reached until it acts
}

// Reach is called where the point stands, from any goroutine. What it does then
// it does once.
func Reach(name string) {
	p, ok := points()[name]
	if !ok {
		return
	}
	p.mu.Lock()
	p.left--
	now := p.left == 0
	p.mu.Unlock()
	if now {
		act(name, p.action)
	}
}

func act(name, action string) {
	switch action {
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // not an instruction further
	case "hang":
		select {}
	case "exit":
		os.Exit(7)
	case "panic":
		panic("failpoint " + name)
	case "crash":
		go panic("failpoint " + name)
		select {}
	default:
		panic(fmt.Sprintf("FAILPOINTS: %s: unknown action %q", name, action))
	}
}
