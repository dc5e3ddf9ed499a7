//go:build unix

package harness

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Hosts are the processes that drive a session of this stage now, or did when they were killed.
func (s *Stage) Hosts() (pids []int) {
	locks, _ := filepath.Glob(filepath.Join(s.Home, "data", "locks", "*.lock")) // the pattern is valid
	for _, lock := range locks {
		text, _ := os.ReadFile(lock) // it may have gone since
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && syscall.Kill(pid, 0) == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// EndHosts ends what still drives a session of this stage, in order, and waits for that.
func (s *Stage) EndHosts(t testing.TB) {
	t.Helper()
	for _, pid := range s.Hosts() {
		_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
	}
	s.AwaitNoHost(t)
}

// AwaitNoHost waits until nothing drives a session of this stage any more.
func (s *Stage) AwaitNoHost(t testing.TB) {
	t.Helper()
	require.Eventually(t, func() bool { return len(s.Hosts()) == 0 }, modeltest.Patience, 10*time.Millisecond, "something still drives a session")
}
