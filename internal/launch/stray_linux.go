package launch

import (
	"os"
	"slices"
	"strconv"
	"syscall"
)

// Stray is a process that must not be left. Its start time tells it from another
// one that got its number.
type Stray struct {
	pid, parent, group, session int
	zombie                      bool
	started                     string
}

// Signal reaches the very process that was seen, or none.
func (s Stray) Signal(signal syscall.Signal) {
	process, err := os.FindProcess(s.pid) // held by a descriptor, where the kernel has those
	if err != nil {
		return
	}
	defer func() { _ = process.Release() }()
	if now, ok := readProcess(s.pid); ok && now.started == s.started {
		_ = process.Signal(signal)
	}
}

// sent are the processes that have got a signal: hundreds that are dying need it
// once.
type sent map[string]bool

// signalAll reaches processes, and those that their groups have got since they
// were looked for: a group cannot fork itself out of a signal. The command has a
// session of its own, so their groups are theirs alone.
func signalAll(strays []Stray, signal syscall.Signal, already sent) {
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

// Survivors finds what is left of a command that has ended: what is in its group
// or session, what carries its mark, and all that descends from those. command 0
// and the empty mark are nobody's.
func Survivors(command int, mark string) []Stray {
	table := processes()
	found := map[int]bool{}
	for pid, p := range table {
		if command > 0 && (p.group == command || p.session == command) || mark != "" && marked(pid, mark) {
			found[pid] = true
		}
	}
	return list(closure(table, found))
}

// descendants finds the living descendants of a process.
func descendants(ancestor int) []Stray {
	return list(closure(processes(), map[int]bool{ancestor: true}))
}

// closure adds all that descends from what was found, or is in a group or session
// that one of those leads. What is not in the table is not given back.
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

// processes reads the table of all processes that are alive, ourselves excepted.
func processes() map[int]Stray {
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

// readProcess reads /proc/PID/stat, whose second field may hold anything, so the
// rest is read from its closing bracket: state, parent, group, session, …, as the
// 20th field the number of threads, and as the 22nd the start time. Where only the
// main thread has ended, the state is a zombie's too, but the process lives.
func readProcess(pid int) (Stray, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Stray{}, false
	}
	end := len(text)
	for end > 0 && text[end-1] != ')' {
		end--
	}
	fields := split(string(text[end:]), ' ')
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

// marked says whether a process was started with a mark in its environment. Those
// of other users cannot be read: they are not ours.
func marked(pid int, mark string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	const name = MarkName + "="
	for _, entry := range split(string(environ), 0) {
		if len(entry) >= len(name) && entry[:len(name)] == name {
			return slices.Contains(Marks(entry[len(name):]), mark)
		}
	}
	return false
}
