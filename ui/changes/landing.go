package changes

import "pawl/lifecycle"

// Chosen is a file that is to be landed, as it was seen, and which of its hunks; nil: all of it.
type Chosen struct {
	Path          string
	Hunks         []int // counted from 0
	Before, After lifecycle.FileState
}

// Chosen lists what is to be landed.
func (v *View) Chosen() (chosen []Chosen) {
	for _, f := range v.Files() {
		if f.Left != "" {
			continue
		}
		switch v.Marks.File(f.Path) {
		case All:
			chosen = append(chosen, Chosen{f.Path, nil, f.Before, f.After})
		case Some:
			chosen = append(chosen, Chosen{f.Path, v.hunksOf(f), f.Before, f.After})
		case None:
		}
	}
	return chosen
}

// hunksOf are those of a file that are chosen.
func (v *View) hunksOf(f File) (chosen []int) {
	for at := range f.Hunks {
		if v.Marks.Hunk(f.Path, at) {
			chosen = append(chosen, at)
		}
	}
	return chosen
}

// Conflicts counts the files that git cannot merge.
func (v *View) Conflicts() int {
	n := 0
	for _, f := range v.Files() {
		if f.Conflict != "" {
			n++
		}
	}
	return n
}

// Outcome is what a landing did, in one line.
type Outcome struct {
	Words string
	Clean bool // git could merge all that was chosen
}
