package tools

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes make a program the leader of a session, and so of a group, of
// its own: a signal reaches all of it, job control inside it cannot hide a part,
// and there is no terminal to ask for a password on. It is killed when the thread
// that started it ends.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// stray is a process that must not be left. Its start time tells it from another
// one that got its number.
type stray struct {
	pid, parent, group, session int
	zombie                      bool
	started                     string
}

// signal reaches the very process that was seen, or none.
func (s stray) signal(signal syscall.Signal) {
	fd, err := unix.PidfdOpen(s.pid, 0)
	if err != nil { // gone, or a kernel without them
		if err == unix.ENOSYS || err == unix.EPERM {
			_ = syscall.Kill(s.pid, signal)
		}
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if now, ok := readProcess(s.pid); ok && now.started == s.started {
		_ = unix.PidfdSendSignal(fd, signal, nil, 0)
	}
}

// survivors finds what is left of a program that has ended: what is in its group
// or session, what carries its mark, and all that descends from those.
func survivors(leader int, mark string) []stray {
	table := processes()
	found := map[int]bool{}
	for pid, p := range table {
		if p.group == leader || p.session == leader || marked(pid, mark) {
			found[pid] = true
		}
	}
	for grew := true; grew; {
		grew = false
		for pid, p := range table {
			if !found[pid] && (found[p.parent] || found[p.group] || found[p.session]) {
				found[pid], grew = true, true
			}
		}
	}
	var left []stray
	for pid := range found {
		left = append(left, table[pid])
	}
	return left
}

// processes reads the table of all processes that are alive, ourselves excepted.
func processes() map[int]stray {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	table := map[int]stray{}
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

// readProcess reads /proc/PID/stat, whose second field may hold anything, so the
// rest is read from its closing bracket: state, parent, group, session, …, and
// start time as the 22nd field.
func readProcess(pid int) (stray, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stray{}, false
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return stray{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	state := fields[0][0]
	return stray{
		pid: pid, parent: number(1), group: number(2), session: number(3),
		zombie: state == 'Z' || state == 'X', started: string(fields[19]),
	}, true
}

// marked says whether a process was started with a mark in its environment. Those
// of other users cannot be read: they are not ours.
func marked(pid int, mark string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(markName+"=")); ok {
			return slices.Contains(marksOf(string(value)), mark)
		}
	}
	return false
}
