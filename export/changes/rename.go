package changes

import (
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// Renamed pairs the files that went with those that came with the same content in the same
// folder: the old path by the new one. Of several that held the same the first are paired.
func Renamed(nets []files.Net) map[string]string {
	type held struct{ folder, hash string }
	gone := map[held][]string{}
	for _, n := range nets {
		if KindOf(n) == Deleted && n.Before.Hash != "" {
			at := held{n.Folder, n.Before.Hash}
			gone[at] = append(gone[at], n.Path)
		}
	}
	from := map[string]string{}
	for _, n := range nets {
		at := held{n.Folder, n.After.Hash}
		if KindOf(n) == Added && n.After.Kind == lifecycle.FileRegular && len(gone[at]) > 0 {
			from[n.Path], gone[at] = gone[at][0], gone[at][1:]
		}
	}
	return from
}
