package stories

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// task is a call of the task tool.
func task(prompt string, background bool) modeltest.Call {
	return modeltest.Use("task", modeltest.Object{"prompt": prompt, "background": background})
}

// processTold is the result of a call about a run in a process of its own.
type processTold struct {
	harness.Told
	Task     string `json:"task_id"`
	ExitCode *int   `json:"exit_code"`
	Error    struct{ Kind, Message string }
}

func processTelling(t *testing.T, h modeltest.Request, tool string) processTold {
	t.Helper()
	texts := h.ResultsOf(tool)
	require.Len(t, texts, 1)
	var one processTold
	require.NoError(t, json.Unmarshal([]byte(texts[0]), &one), texts[0])
	return one
}

// workerOf is the process of the only isolated subagent. Wait until it has asked
// its model something.
func workerOf(t *testing.T, s *harness.Stage) int {
	t.Helper()
	found := s.Processes(func(command string) bool { return command == "/proc/self/exe\x00"+"run-worker\x00" })
	require.Len(t, found, 1)
	return found[0]
}

// toDig puts a program into the folder that says so, in words that its command
// does not hold, and goes on until it is killed.
func toDig(t *testing.T, s *harness.Stage) *harness.Stage {
	t.Helper()
	script := "trap '' TERM; printf 'dig%s\\n' ging; while :; do sleep 1; done"
	require.NoError(t, os.WriteFile(s.Dir+"/dig.sh", []byte(script), 0o600))
	return s
}

// digAs is a call of that program. Its processes have the mark on their command
// line.
func digAs(mark string) modeltest.Call {
	return modeltest.Use("shell", modeltest.Object{"command": "sh dig.sh " + mark})
}

// marked lists those, once it has said something.
func marked(s *harness.Stage, mark string) []int {
	return s.Processes(func(command string) bool { return strings.Contains(command, mark) })
}

// requireUnmarked waits until there are none, for a moment behind the end of who has ended them.
func requireUnmarked(t *testing.T, s *harness.Stage, mark string) {
	t.Helper()
	require.Eventually(t, func() bool { return len(marked(s, mark)) == 0 }, modeltest.Patience, 10*time.Millisecond, "%s is left", mark)
}

// watched are processes whose end can be waited for, whatever gets their number.
type watched []int

func watch(t *testing.T, pids ...int) (w watched) {
	t.Helper()
	require.NotEmpty(t, pids)
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) { // a shell's child that was about to become a program, and has ended since
			continue
		}
		require.NoError(t, err)
		t.Cleanup(func() { _ = unix.Close(fd) })
		w = append(w, fd)
	}
	return w
}

// gone waits until they have ended.
func (w watched) gone(t *testing.T) {
	t.Helper()
	for _, fd := range w {
		n, err := 0, error(unix.EINTR)
		for errors.Is(err, unix.EINTR) {
			n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(modeltest.Patience/time.Millisecond))
		}
		require.NoError(t, err)
		require.NotZero(t, n, "a process is left")
	}
}

// agentIn is the agent of a notification.
func agentIn(notice string) string {
	_, rest, _ := strings.Cut(notice, "<task-id>")
	id, _, _ := strings.Cut(rest, "</task-id>")
	return id
}
