package guard

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// sweep kills the processes that Pawl left until there are none: each kill makes the victim's
// children ours, and they are next.
func (g *guard) sweep() {
	for {
		for g.reap(syscall.WNOHANG) {
			continue
		}
		left := g.left()
		if len(left) == 0 {
			return
		}
		mine := false
		for _, pid := range left {
			err := syscall.Kill(pid, syscall.SIGKILL)
			mine = mine || err != syscall.EPERM
		}
		if !mine {
			return // another user's, as sudo leaves them, cannot be killed
		}
		g.reap(0)
	}
}

// reap reaps one ended child and reports whether there was one.
func (g *guard) reap(options int) bool {
	for {
		pid, err := syscall.Wait4(-1, nil, options, nil)
		if err == syscall.EINTR {
			continue
		}
		delete(g.inherited, pid)
		return err == nil && pid > 0
	}
}

// left lists the children that Pawl left to us, and all their descendants.
func (g *guard) left() []int {
	var all []int
	next := childrenOf(os.Getpid())
	for len(next) > 0 {
		pid := next[len(next)-1]
		next = next[:len(next)-1]
		if !g.inherited[pid] {
			all = append(all, pid)
			next = append(next, childrenOf(pid)...)
		}
	}
	return all
}

// children returns the children that this process has already.
func children() map[int]bool {
	if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err == syscall.ECHILD {
		return nil // the usual case, and much cheaper
	}
	all := map[int]bool{}
	for _, pid := range childrenOf(os.Getpid()) {
		all[pid] = true
	}
	return all
}

// childrenOf asks the kernel for the children of a process or, if it keeps no such lists,
// searches all processes.
func childrenOf(pid int) (all []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return nil // it has ended
	}
	for _, thread := range threads {
		list, err := os.ReadFile(tasks + "/" + thread.Name() + "/children")
		if os.IsNotExist(err) && thread.Name() == strconv.Itoa(pid) {
			return childrenByStat(pid)
		}
		for field := range strings.FieldsSeq(string(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// childrenByStat finds the children of a process by reading every process's parent: the second
// field after the bracket that closes its name.
func childrenByStat(parent int) (all []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			all = append(all, pid)
		}
	}
	return all
}
