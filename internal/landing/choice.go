package landing

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Choice says what of a plan is landed. Without a file: everything.
type Choice struct {
	Files []Pick `json:"files,omitempty"`
}

// Pick is one file that is landed or, with a folder's path, all below that. Without hunks: all of it.
type Pick struct {
	Path  string `json:"path"`
	Hunks []int  `json:"hunks,omitempty"` // numbers, from 0
	Seen  *Sides `json:"-"`               // of the one file, as a person saw them when they chose; nil: as they are
}

// Sides are what a subagent began with in a file, and what it made of it.
type Sides struct{ Before, After lifecycle.FileState }

// check refuses what a choice names and the plan does not have.
func (c Choice) check(files []File) error {
	for _, pick := range c.Files {
		i := slices.IndexFunc(files, func(f File) bool { return pick.covers(f) })
		if i < 0 {
			var names []string
			for _, f := range files {
				names = append(names, f.Path)
			}
			return fmt.Errorf("the subagent changed no file %q%s", pick.Path, words.DidYouMean(pick.Path, names))
		}
		if seen := pick.Seen; seen != nil && *seen != (Sides{files[i].Before, files[i].After}) {
			return fmt.Errorf("%s has changed since you looked at it: look again", files[i].Path)
		}
		for _, n := range pick.Hunks {
			if n < 0 || n >= len(files[i].Hunks) {
				return fmt.Errorf("%s has no hunk %d: it has %d", files[i].Path, n+1, len(files[i].Hunks))
			}
		}
	}
	return nil
}

// of says which hunks of a file are chosen, nil for all, and whether it is chosen at all.
func (c Choice) of(f File) (hunks []int, chosen bool) {
	if len(c.Files) == 0 {
		return nil, true
	}
	for _, pick := range c.Files {
		switch {
		case !pick.covers(f):
		case len(pick.Hunks) == 0:
			return nil, true
		default:
			hunks, chosen = append(hunks, pick.Hunks...), true
		}
	}
	slices.Sort(hunks)
	if hunks = slices.Compact(hunks); len(hunks) == len(f.Hunks) {
		hunks = nil
	}
	return hunks, chosen
}

func (p Pick) covers(f File) bool {
	name := path.Clean(strings.TrimSuffix(p.Path, "/"))
	return f.Path == name || f.From == name || name == "." || strings.HasPrefix(f.Path, name+"/")
}
