package changes

// Marks are the files and hunks that are chosen to be landed. The zero Marks has chosen all.
type Marks struct {
	left map[string]map[int]bool // the hunks that were left out, of a path; wholeFile for all of them
}

const wholeFile = -1

// Choice is how much of a file is chosen.
type Choice int

// The choices.
const (
	All Choice = iota
	Some
	None
)

// File is how much of a file is chosen.
func (m Marks) File(path string) Choice {
	left := m.left[path]
	switch {
	case left[wholeFile]:
		return None
	case len(left) > 0:
		return Some
	}
	return All
}

// Hunk reports whether one hunk of a file is chosen, counted from 0.
func (m Marks) Hunk(path string, at int) bool {
	return !m.left[path][wholeFile] && !m.left[path][at]
}

// LeftOut lists the hunks of a file that are not chosen, of so many.
func (m Marks) LeftOut(path string, hunks int) []int {
	var left []int
	for at := range hunks {
		if !m.Hunk(path, at) {
			left = append(left, at)
		}
	}
	return left
}

// TurnFile leaves a file out, or chooses all of it again.
func (m *Marks) TurnFile(path string) {
	if m.File(path) == All {
		m.leave(path, wholeFile)
		return
	}
	delete(m.left, path)
}

// TurnHunk leaves one hunk out of a file with so many, or chooses it again.
func (m *Marks) TurnHunk(path string, at, hunks int) {
	left := map[int]bool{}
	for _, other := range m.LeftOut(path, hunks) {
		left[other] = true
	}
	if left[at] {
		delete(left, at)
	} else {
		left[at] = true
	}
	delete(m.left, path)
	if len(left) == hunks {
		left = map[int]bool{wholeFile: true}
	}
	for other := range left {
		m.leave(path, other)
	}
}

func (m *Marks) leave(path string, at int) {
	if m.left == nil {
		m.left = map[string]map[int]bool{}
	}
	if m.left[path] == nil {
		m.left[path] = map[int]bool{}
	}
	m.left[path][at] = true
}
