package files

import (
	"maps"
	"slices"

	"pawl/lifecycle"
)

// Take is one file that a rewind would put back.
type Take struct {
	Path    string
	Want    lifecycle.FileState // as it was before the first change that is taken back
	Expect  lifecycle.FileState // as the last of these changes left it
	Writers []lifecycle.RunID   // of these changes, in the order of the log
	// Others says that somebody else has changed it as well, so that it is left as it is unless
	// a person chooses otherwise. Empty: nobody has, as far as the log knows.
	Others string
	// Uncovered says why it cannot be put back, as of FileChange.
	Uncovered string
}

// Why a file is left unless it is chosen.
const (
	changedByAnother = "changed since by another agent"
	changedUnknown   = "changed in between by somebody else"
	perhapsAnother   = "perhaps changed by another agent's command"
)

// TakeBack says which files of a folder a rewind to before the record would put back, and to
// what, sorted by path. Landings and rewinds are changes like others, so they are taken back
// too. With only, just what that session changed is. Files that are already as they would
// become are left out. Whether a file was changed after its last record shows on the disk alone.
func (l *Log) TakeBack(folder string, to lifecycle.Seq, only lifecycle.SessionID) []Take {
	all := l.byPlace(func(c Change) bool { return c.Folder == folder && c.Seq >= to })
	var takes []Take
	for _, at := range slices.SortedFunc(maps.Keys(all), place.compare) {
		net, any := netOf(at, all[at], Filter{Session: only}.Fits)
		if !any || all[at][len(all[at])-1].After.Same(net.Before) {
			continue
		}
		takes = append(takes, Take{
			Path: at.path, Want: net.Before, Expect: net.After, Writers: writers(net.Changes),
			Others: l.others(all[at], net, only), Uncovered: net.Uncovered,
		})
	}
	return takes
}

// others says why a file is left unless it is chosen, or nothing.
func (l *Log) others(all []Change, net Net, only lifecycle.SessionID) string {
	since := all[slices.IndexFunc(all, Filter{Session: only}.Fits):]
	switch {
	case len(since) > len(net.Changes):
		return changedByAnother
	case broken(since):
		return changedUnknown
	case only != "" && slices.ContainsFunc(net.Changes, func(c Change) bool { return l.beside(c) }):
		return perhapsAnother
	}
	return ""
}

// beside reports that a command of another session ran beside a change.
func (l *Log) beside(c Change) bool {
	return slices.ContainsFunc(c.Beside, func(run lifecycle.RunID) bool { return l.runs[run].session != c.Session })
}

func writers(changes []Change) []lifecycle.RunID {
	var runs []lifecycle.RunID
	for _, c := range changes {
		if !slices.Contains(runs, c.Run) {
			runs = append(runs, c.Run)
		}
	}
	return runs
}
