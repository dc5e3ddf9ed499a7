package search

import (
	"unicode/utf8"

	"pawl/internal/words"
)

// File is a file with matches, the first MaxMatches of them as lines, where those are
// kept.
type File struct {
	Path  string // located
	Count int    // matching lines
	Lines []Line // in their order; some are left out between them
}

// Line is a line of a file, or the part of a long one that has the match.
type Line struct {
	Number int // from 1
	Text   string
	Match  bool // else it stands around one
}

// around gives a line, or the part of a long one that has the match.
func around(line []byte, at int) string {
	const most, lead = 500, 100
	if utf8.RuneCount(line) <= most {
		return string(line)
	}
	start := ""
	if at > most-lead {
		line = line[len(line)-len(words.Last(string(line[:at]), lead))-len(line[at:]):]
		start = "… "
	}
	short := words.First(string(line), most)
	if len(short) < len(line) {
		short += " … [cut]"
	}
	return start + short
}
