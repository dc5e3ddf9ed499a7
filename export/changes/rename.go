package changes

import (
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// Renames are the old paths of files that were renamed, by folder and new path.
type Renames map[[2]string]string

// Of is the old path of a file; empty if it was not renamed.
func (r Renames) Of(n files.Net) string { return r[[2]string{n.Folder, n.Path}] }

// Renamed pairs the files that went with those that came with the same content in the same
// folder. Of several that held the same the first are paired.
func Renamed(nets []files.Net) Renames {
	type held struct{ folder, hash string }
	gone := map[held][]string{}
	for _, n := range nets {
		if KindOf(n) == Deleted && n.Before.Hash != "" {
			at := held{n.Folder, n.Before.Hash}
			gone[at] = append(gone[at], n.Path)
		}
	}
	from := Renames{}
	for _, n := range nets {
		at := held{n.Folder, n.After.Hash}
		if KindOf(n) == Added && n.After.Kind == lifecycle.FileRegular && len(gone[at]) > 0 {
			from[[2]string{n.Folder, n.Path}], gone[at] = gone[at][0], gone[at][1:]
		}
	}
	return from
}
