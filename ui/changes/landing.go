package changes

// Chosen is a file that is to be landed, and which of its hunks; nil: all of it.
type Chosen struct {
	Path  string
	Hunks []int // counted from 0
}

// Chosen lists what is to be landed; nil where that is everything. files is how many they are.
func (v *View) Chosen() (chosen []Chosen, files int) {
	everything := true
	for _, f := range v.Files() {
		if f.Left != "" {
			continue
		}
		switch v.Marks.File(f.Path) {
		case All:
			chosen = append(chosen, Chosen{Path: f.Path})
		case Some:
			everything = false
			chosen = append(chosen, Chosen{f.Path, v.hunksOf(f)})
		case None:
			everything = false
		}
	}
	if everything {
		return nil, len(chosen)
	}
	return chosen, len(chosen)
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
