//go:build !windows

package socket

import (
	"os"

	"pawl/internal/system"
)

// FromTool reports whether a process was started by what a session has started, a tool, a hook or a
// server, unless this process was too: then it belongs to those that are kept out. A command could
// otherwise have a command of another session speak for it. An error is to be taken as a yes. It is
// always false on systems where guards have no names.
func FromTool(pid int) (bool, error) {
	line, err := lineageTwice(pid, noAncestor)
	if err != nil {
		return false, err
	}
	guards := guardsOf(line)
	if len(guards) == 0 {
		return false, nil
	}
	own, err := lineageTwice(os.Getpid(), noAncestor)
	if err != nil {
		return false, err
	}
	for around := range guardsOf(own) {
		delete(guards, around)
	}
	return len(guards) > 0, nil
}

// InSession reports whether this very process was started by what a session has started. As FromTool
// does, it errs on the side of yes.
func InSession() (bool, error) {
	own, err := lineageTwice(os.Getpid(), noAncestor)
	if err != nil {
		return true, err
	}
	return len(guardsOf(own)) > 0, nil
}

// guardsOf are the guards of the sessions whose tools the first process of a lineage comes from. The
// guard of a host counts for what the host starts, and not for the host.
func guardsOf(line []process) map[process]bool {
	guards := map[process]bool{}
	for i, p := range line[1:] {
		if p.name == system.GuardName && (i > 0 || firstChild(p.pid) != line[0].pid) {
			guards[p] = true
		}
	}
	return guards
}
