package files

import (
	"cmp"
	"maps"
	"slices"

	"pawl/lifecycle"
)

// Filter chooses changes. An empty field leaves all in.
type Filter struct {
	Session lifecycle.SessionID
	Run     lifecycle.RunID
	From    lifecycle.Seq // the first record
	Before  lifecycle.Seq // the record after the last
	Folder  string
	Path    string
	Own     bool // leaves out landings and rewinds: what people did, not the run
}

// Fits reports whether the filter leaves a change in.
func (f Filter) Fits(c Change) bool {
	return (f.Session == "" || f.Session == c.Session) && (f.Run == "" || f.Run == c.Run) &&
		f.From <= c.Seq && (f.Before == 0 || c.Seq < f.Before) &&
		(f.Folder == "" || f.Folder == c.Folder) && (f.Path == "" || f.Path == c.Path) &&
		(!f.Own || c.Source != Landing && c.Source != Rewind)
}

// Net is what chosen changes made of one path, from before the first to after the last.
type Net struct {
	Folder string // absolute
	Path   string // in it
	Before lifecycle.FileState
	After  lifecycle.FileState
	// Uncovered says why what it held before cannot be put back, as of FileChange.
	Uncovered string
	Changes   []Change // that were chosen, in the order of the log
	// Gap says that it was changed between these by something else, so that not all of the
	// difference is theirs.
	Gap bool
}

// place is a path of a folder.
type place struct{ folder, path string }

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.path, b.path))
}

// Net says for each path what the changes that fit made of it, sorted by folder and path.
// Paths that came back to what they were are left out, but for those with a gap.
func (l *Log) Net(f Filter) []Net {
	all := l.byPlace(func(c Change) bool {
		return (f.Folder == "" || f.Folder == c.Folder) && (f.Path == "" || f.Path == c.Path)
	})
	var nets []Net
	for _, at := range slices.SortedFunc(maps.Keys(all), place.compare) {
		net, any := netOf(at, all[at], f.Fits)
		if any && (net.Gap || !net.Before.Same(net.After)) {
			nets = append(nets, net)
		}
	}
	return nets
}

func (l *Log) byPlace(in func(Change) bool) map[place][]Change {
	places := map[place][]Change{}
	for _, c := range l.changes {
		if in(c) {
			at := place{c.Folder, c.Path}
			places[at] = append(places[at], c)
		}
	}
	return places
}

// netOf sums up all changes of one path, of which some fit; any says whether one does.
func netOf(at place, all []Change, fits func(Change) bool) (net Net, any bool) {
	first := slices.IndexFunc(all, fits)
	if first < 0 {
		return Net{}, false
	}
	net = Net{Folder: at.folder, Path: at.path, Before: all[first].Before, Uncovered: uncovered(all[first])}
	last := first
	for i, c := range all[first:] {
		if fits(c) {
			net.Changes, net.After, last = append(net.Changes, c), c.After, first+i
		}
	}
	span := all[first : last+1]
	net.Gap = len(span) > len(net.Changes) || broken(span)
	return net, true
}

// broken reports that a file was changed between recorded changes of it, by something that is
// not recorded.
func broken(span []Change) bool {
	for i, c := range span[1:] {
		if !span[i].After.Same(c.Before) {
			return true
		}
	}
	return false
}

// uncovered says why what a change found cannot be put back, or nothing.
func uncovered(c Change) string {
	if c.Uncovered == "" && c.Before.Kind != lifecycle.FileNone && c.Before.Hash == "" {
		return "what it held before is not known"
	}
	return c.Uncovered
}
