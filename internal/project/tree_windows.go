package project

import (
	"io/fs"
	"os"
)

// looker looks at files by their paths.
type looker struct{}

func lookFrom(string) looker { return looker{} }

func (looker) close() {}

func (looker) sum(f treeFile, buffer []byte) string { return sumOf(f.full, buffer) }

func (looker) names(_ child, real string) []string { return namesIn(real) }

func (looker) stamp(c child, _ int) stamp { return stampOf(c.full) }

// stampOf looks at a file, and not at what a link leads to. It tells no time of a change that nobody
// can set, so that nothing is remembered.
func stampOf(full string) stamp {
	info, err := os.Lstat(full)
	if err != nil {
		return stamp{}
	}
	s := stamp{size: info.Size(), modified: info.ModTime().UnixNano(), kind: special}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		s.kind = regularFile
	case mode.IsDir():
		s.kind = folder
	case mode&fs.ModeSymlink != 0:
		s.kind = link
	}
	return s
}
