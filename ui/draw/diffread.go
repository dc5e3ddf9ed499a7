package draw

import (
	"fmt"
	"strings"
)

// readDiff parses the lines of a diff. Other text is kept as it is.
func readDiff(text string) []DiffLine {
	r := diffReader{hunk: -1}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		r.read(line)
	}
	all := r.all
	for len(all) > 0 && all[len(all)-1].Sign == ' ' && strings.TrimSpace(all[len(all)-1].Text) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// diffReader is in the middle of a diff.
type diffReader struct {
	all      []DiffLine
	hunk     int
	old, now side // the next line numbers, and the lines left in the hunk
}

func (r *diffReader) read(line string) {
	if r.old.lines <= 0 && r.now.lines <= 0 {
		if title, isHead := headOf(line); isHead {
			if title != "" && len(r.all) > 0 {
				r.add(DiffLine{Sign: FileSign, Text: title})
			}
			return
		}
	}
	if old, now, words, ok := hunkOf(line); ok {
		first := (len(r.all) == 0 || r.all[len(r.all)-1].Sign == FileSign) && words == ""
		r.hunk++
		r.old, r.now = old, now
		r.add(DiffLine{Sign: HunkSign, Text: words, first: first})
		return
	}
	switch {
	case strings.HasPrefix(line, "+"):
		r.add(DiffLine{Sign: '+', New: r.now.at, Text: line[1:]})
		r.now.pass()
	case strings.HasPrefix(line, "-"):
		r.add(DiffLine{Sign: '-', Old: r.old.at, Text: line[1:]})
		r.old.pass()
	case strings.HasPrefix(line, `\`):
		r.add(DiffLine{Sign: NoteSign, Text: strings.TrimPrefix(line, `\ `)})
	default:
		r.add(DiffLine{Sign: ' ', Old: r.old.at, New: r.now.at, Text: strings.TrimPrefix(line, " ")})
		r.old.pass()
		r.now.pass()
	}
}

func (r *diffReader) add(line DiffLine) {
	line.Hunk = max(0, r.hunk)
	r.all = append(r.all, line)
}

// headOf reports whether a line is above the hunks of a file, and returns the file's new name if
// the line has it.
func headOf(line string) (title string, is bool) {
	if name, ok := strings.CutPrefix(line, "+++ "); ok {
		return strings.TrimPrefix(name, "b/"), true
	}
	for _, start := range []string{"--- ", "diff ", "index ", "new file", "deleted file"} {
		if strings.HasPrefix(line, start) {
			return "", true
		}
	}
	return "", false
}

// side is a hunk's position in one of the files.
type side struct{ at, lines int }

func (s *side) pass() { s.at, s.lines = s.at+1, s.lines-1 }

// hunkOf parses the head of a hunk, as in @@ -1,4 +1,5 @@ func f().
func hunkOf(line string) (before, after side, words string, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ ")
	if !ok {
		return before, after, "", false
	}
	places, words, ok := strings.Cut(rest, " @@")
	if !ok {
		return before, after, "", false
	}
	read := func(text string) (s side) {
		s.lines = 1
		if n, err := fmt.Sscanf(text[1:], "%d,%d", &s.at, &s.lines); err != nil && n == 0 {
			return side{}
		}
		return s
	}
	old, now, ok := strings.Cut(places, " ")
	if !ok || !strings.HasPrefix(old, "-") || !strings.HasPrefix(now, "+") {
		return before, after, "", false
	}
	return read(old), read(now), strings.TrimSpace(words), true
}
