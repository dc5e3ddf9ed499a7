//go:build !windows

package socket

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

const (
	noAncestor     = 0
	longestLineage = 4096 // more processes than any shell is below
	mostLooks      = 20   // at a lineage that is not twice the same
)

// process is what the system says of one process.
type process struct {
	pid, parent int
	start       int64  // when it began, in the system's own unit; tells apart two of one pid
	name        string // empty where it is not asked for
	ended       bool   // and nobody has asked yet how
}

// DescendsFrom reports whether a process is another one or was started below it, by walking from
// parent to parent. A process whose lineage cannot be told is an error, which is to be taken as
// a yes by whoever lets no descendant in. Ancestors of other users are not looked beyond: what
// such a process starts for us has passed that user.
func DescendsFrom(pid, ancestor int) (bool, error) {
	if pid == ancestor {
		return true, nil
	}
	line, err := lineageTwice(pid, ancestor)
	return err == nil && line[len(line)-1].parent == ancestor, err
}

// lineageTwice is the lineage of a process as two looks that agree have seen it: a parent that ends
// during the walk gives its children to another.
func lineageTwice(pid, ancestor int) ([]process, error) {
	var before []process
	err := errors.New("they keep changing")
	for range mostLooks {
		line, failed := lineage(pid, ancestor)
		switch {
		case failed != nil:
			err, line = failed, nil
		case slices.Equal(before, line):
			return line, nil
		}
		before = line
	}
	return nil, fmt.Errorf("cannot tell which processes process %d was started by: %w", pid, err)
}

// lineage is a process and those it descends from, up to the child of ancestor if it is one of
// them.
func lineage(pid, ancestor int) ([]process, error) {
	var line []process
	for of := pid; len(line) < longestLineage; {
		p, err := readProcess(of)
		switch {
		case err == nil:
		case len(line) > 0 && errors.Is(unix.Kill(of, 0), unix.EPERM):
			return line, nil // hidden, and another user's
		default:
			return nil, err
		}
		line = append(line, p)
		if p.parent == ancestor || p.parent <= 0 {
			return line, nil
		}
		of = p.parent
	}
	return nil, fmt.Errorf("they are more than %d", longestLineage)
}
