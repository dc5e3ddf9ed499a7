package tools

import (
	"cmp"
	"fmt"
	"unicode/utf8"

	"pawl/internal/words"
)

// matched is a file with matches, the first maxFound of them as lines.
type matched struct {
	path  string // located; in the end as it is told
	count int
	lines []matchedLine
}

type matchedLine struct {
	number int
	text   string
	match  bool // else it stands around one
}

func byPath(a, b matched) int { return cmp.Compare(a.path, b.path) }

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

// listMatches writes the first maxFound matching lines under the paths of their
// files, "12:" before a match, "12-" before a line around one, and says how many
// matches that are: fewer where they are long.
func listMatches(files []matched, context int) (out []string, shown int) {
	written := 0
	for _, f := range files {
		if shown == maxFound || written > maxFoundText {
			break
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, f.path)
		last := 0
		for _, line := range f.lines {
			if line.match && shown == maxFound || written > maxFoundText {
				break
			}
			if context > 0 && last > 0 && line.number > last+1 {
				out = append(out, "--")
			}
			last = line.number
			mark := "-"
			if line.match {
				mark = ":"
				shown++
			}
			out = append(out, fmt.Sprintf("%d%s %s", line.number, mark, words.Valid(line.text)))
			written += len(line.text)
		}
	}
	return out, shown
}
