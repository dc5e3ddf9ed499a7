//go:build linux

package orders

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"pawl/internal/harness"
)

// clockAhead is the variable that says by how many seconds the time of day is ahead in the program
// that aheadOfTime builds.
const clockAhead = "TEST_CLOCK_AHEAD"

// aheadOfTime is Pawl built with a time package whose time of day is ahead. A namespace of the kernel
// shifts only the monotonic clock, and no library that is loaded first shifts that of a Go program.
// The first build compiles all libraries anew: minutes.
var aheadOfTime = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "pawl-test-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	source := filepath.Join(runtime.GOROOT(), "src", "time", "time.go") //nolint:staticcheck // that of the go that builds this
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	const asks = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	changed := strings.Replace(string(text), asks, asks+"\tsec += clockAhead\n", 1)
	changed = strings.Replace(changed, `"math/bits"`, "\"math/bits\"\n\t\"syscall\"", 1)
	if len(changed) == len(text) {
		return "", fmt.Errorf("time.Now is another one in %s", source)
	}
	changed += `
var clockAhead = func() (n int64) {
	text, _ := syscall.Getenv("` + clockAhead + `")
	for _, digit := range text {
		n = 10*n + int64(digit-'0')
	}
	return n
}()
`
	replacement, overlay := filepath.Join(folder, "time.go"), filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(replacement, []byte(changed), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {source: replacement}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return "", err
	}
	return harness.Build("pawl-ahead", ".", "-race=false", "-tags", "grpcnotrace", "-ldflags=-s -w", "-overlay", overlay)
})
