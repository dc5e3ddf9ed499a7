package machinelab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Command is a program to be run on a machine, with this environment and no other, in a folder. Its
// process is nsenter, which waits for the program and ends as it does. The end of ctx kills the
// program; any other signal goes to what Program says.
func (m *Machine) Command(ctx context.Context, folder string, env []string, name string, args ...string) *exec.Cmd {
	enter := []string{"--target", strconv.Itoa(m.first), "--net", "--pid", "--uts", "--mount"}
	if m.uptime != 0 {
		enter = append(enter, "--time")
	}
	enter = append(enter, "--", "env", "--chdir", folder, name)
	cmd := exec.CommandContext(ctx, "nsenter", append(enter, args...)...)
	cmd.Env = env
	cmd.Cancel = func() error { return syscall.Kill(Program(cmd), syscall.SIGKILL) }
	return cmd
}

// Program is the process of a Command that was started, as the test counts.
func Program(cmd *exec.Cmd) int {
	if child := childOf(cmd.Process.Pid); child != 0 {
		return child
	}
	return cmd.Process.Pid // nsenter has not come that far, or has nothing to wait for
}

// Process is one on a machine.
type Process struct {
	ID      int    // as the test counts
	Command string // its words, parted by spaces
}

// String names it.
func (p Process) String() string { return fmt.Sprintf("%d %s", p.ID, p.Command) }

// Processes are all of a machine but its first one, and but those that have ended and whose parents
// have not noticed. None if it is off.
func (m *Machine) Processes() (all []Process) {
	own, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", m.first))
	if err != nil {
		return nil
	}
	links, _ := filepath.Glob("/proc/[0-9]*/ns/pid") // the pattern is valid
	for _, link := range links {
		folder := filepath.Dir(filepath.Dir(link))
		id, _ := strconv.Atoi(filepath.Base(folder))
		if space, err := os.Readlink(link); err != nil || space != own || id == m.first {
			continue // another's, or gone
		}
		line, err := os.ReadFile(folder + "/cmdline")
		if err != nil || len(line) == 0 {
			continue // it has ended
		}
		all = append(all, Process{ID: id, Command: strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))})
	}
	slices.SortFunc(all, func(a, b Process) int { return a.ID - b.ID })
	return all
}
