package launch

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Stray is a process that must not be left behind. Its start time tells it from a later process
// with the same id.
type Stray struct {
	pid, parent, group, session int
	zombie                      bool
	started                     string
}

// Signal sends a signal to this process, and never to another one with the same id.
func (s Stray) Signal(signal syscall.Signal) {
	process, err := os.FindProcess(s.pid) // by a pidfd, if the kernel has those
	if err != nil {
		return
	}
	defer func() { _ = process.Release() }()
	if now, ok := readProcess(s.pid); ok && now.started == s.started {
		_ = process.Signal(signal)
	}
}

// signalled records which processes have got a signal, so that each gets it only once.
type signalled map[string]bool

// signalAll signals the processes, and their groups, for members that were forked since: a group
// cannot fork its way out of a signal. The command has its own session, so these groups hold
// nothing else.
func signalAll(strays []Stray, signal syscall.Signal, already signalled) {
	groups := map[int]bool{}
	for _, s := range strays {
		if key := strconv.Itoa(s.pid) + " " + s.started; !already[key] {
			already[key] = true
			s.Signal(signal)
			groups[s.group] = true
		}
	}
	for group := range groups {
		if group > 1 {
			_ = syscall.Kill(-group, signal)
		}
	}
}

// Survivors finds the processes left by a command that has ended: those in its group or session,
// those that carry its mark, and all their descendants. command 0 and an empty mark match
// nothing.
func Survivors(command int, mark string) []Stray {
	table := listProcesses()
	found := map[int]bool{}
	for pid, p := range table {
		if command > 0 && (p.group == command || p.session == command) || mark != "" && marked(pid, mark) {
			found[pid] = true
		}
	}
	return list(closure(table, found))
}

func descendants(ancestor int) []Stray {
	return list(closure(listProcesses(), map[int]bool{ancestor: true}))
}

// closure adds to found all descendants, and the members of groups and sessions led by a process
// in it. Processes that are not in the table are left out of the result.
func closure(table map[int]Stray, found map[int]bool) map[int]Stray {
	for grew := true; grew; {
		grew = false
		for pid, p := range table {
			if !found[pid] && (found[p.parent] || found[p.group] || found[p.session]) {
				found[pid], grew = true, true
			}
		}
	}
	left := map[int]Stray{}
	for pid := range found {
		if p, ok := table[pid]; ok {
			left[pid] = p
		}
	}
	return left
}

func list(table map[int]Stray) []Stray {
	all := make([]Stray, 0, len(table))
	for _, p := range table {
		all = append(all, p)
	}
	return all
}

// listProcesses lists all living processes except this one and process 1.
func listProcesses() map[int]Stray {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	table := map[int]Stray{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() || pid == 1 {
			continue
		}
		if p, ok := readProcess(pid); ok && !p.zombie {
			table[pid] = p
		}
	}
	return table
}

// readProcess reads /proc/PID/stat. The second field may hold any text, so the rest is read from
// its closing bracket: state, parent, group, session, …, the number of threads as the 20th field
// and the start time as the 22nd. The state is a zombie's also if only the main thread has ended
// and the process lives.
func readProcess(pid int) (Stray, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Stray{}, false
	}
	fields := split(string(text[bytes.LastIndexByte(text, ')')+1:]), ' ')
	if len(fields) < 20 {
		return Stray{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(fields[i])
		return n
	}
	state := fields[0][0]
	return Stray{
		pid: pid, parent: number(1), group: number(2), session: number(3),
		zombie: (state == 'Z' || state == 'X') && number(17) <= 1, started: fields[19],
	}, true
}

// marked reports whether a process was started with this mark in its environment. Those of other
// users cannot be read and are not ours.
func marked(pid int, mark string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for _, entry := range split(string(environ), 0) {
		if value, ok := strings.CutPrefix(entry, MarkName+"="); ok {
			return slices.Contains(Marks(value), mark)
		}
	}
	return false
}
