package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Origins follows lines through the versions of a text, of which there are two at least. newBy says
// of each line of the last which version brought it, counted from 1, and 0 for one that the first has
// too; oldBy, of each line of the first, which version has it no more, and 0 for one that the last
// still has.
func Origins(versions []string) (newBy, oldBy []int) {
	first := textLines(versions[0])
	oldBy = make([]int, len(first))
	lines := make([]origin, len(first))
	for i := range lines {
		lines[i].at = i
	}
	for n := 1; n < len(versions); n++ {
		lines = follow(lines, versions[n-1], versions[n], n, oldBy)
	}
	for _, line := range lines {
		newBy = append(newBy, line.by)
	}
	return newBy, oldBy
}

// origin is where a line comes from.
type origin struct {
	by int // the version that brought it
	at int // its place in the first version, if that has it
}

// follow makes of the lines of one version those of the next, and notes which of the first are gone.
func follow(lines []origin, before, after string, n int, oldBy []int) []origin {
	var now []origin
	at, from := 0, 0 // a line, and the byte where it begins
	for _, edit := range udiff.Lines(before, after) {
		kept := textLineCount(before[from:edit.Start])
		now = append(now, lines[at:at+kept]...)
		gone := textLineCount(before[edit.Start:edit.End])
		for _, line := range lines[at+kept : at+kept+gone] {
			if line.by == 0 {
				oldBy[line.at] = n
			}
		}
		for range textLineCount(edit.New) {
			now = append(now, origin{by: n})
		}
		at, from = at+kept+gone, edit.End
	}
	return append(now, lines[at:]...)
}

func textLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		return lines[:len(lines)-1]
	}
	return lines
}

func textLineCount(text string) int { return len(textLines(text)) }
