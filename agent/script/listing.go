package script

import (
	"regexp"
	"strconv"
	"strings"
)

// listing is the result of the list tool.
type listing struct {
	entries []listed
	hidden  int    // entries that it says it does not show
	note    string // what it says of itself
}

// listed is one entry of a listing.
type listed struct {
	path   string // below the listed folder
	level  int    // 0: in the folder itself
	folder bool
	size   int64 // -1: not given
	inside int   // entries in a folder, as far as the listing tells
}

var (
	hiddenLine = regexp.MustCompile(`^… (\d+) more$`)
	sizeAtEnd  = regexp.MustCompile(`^(.*?)\s{2,}(\d+(?:\.\d+)?) (B|KB|MB|GB)$`)
	noteAtEnd  = regexp.MustCompile(`^(.*?)\s{2,}\((?:(\d+) entr(?:y|ies)|.*)\)$`)
)

// parseListing reads a listing: its folder on the first line, then a line for
// each entry, indented by its level. Text of any other shape has no entries.
func parseListing(text string) listing {
	var l listing
	body, note := splitNote(text)
	l.note = note
	var parents, indents []int // of the open folders, outermost first: where they stand, how deep
	for line := range strings.SplitSeq(body, "\n") {
		name := strings.TrimLeft(line, " ")
		indent := len(line) - len(name)
		name = strings.TrimRight(name, " \r")
		if name == "" || indent == 0 { // the folder itself
			continue
		}
		for len(indents) > 0 && indent <= indents[len(indents)-1] {
			indents, parents = indents[:len(indents)-1], parents[:len(parents)-1]
		}
		if m := hiddenLine.FindStringSubmatch(name); m != nil {
			n, _ := strconv.Atoi(m[1]) // the pattern takes digits alone
			l.hidden += n
			if len(parents) > 0 {
				l.entries[parents[len(parents)-1]].inside += n
			}
			continue
		}
		entry := parseEntry(name)
		entry.level = len(parents)
		if len(parents) > 0 {
			parent := &l.entries[parents[len(parents)-1]]
			parent.inside++
			entry.path = parent.path + "/" + entry.path
		}
		l.entries = append(l.entries, entry)
		if entry.folder {
			indents, parents = append(indents, indent), append(parents, len(l.entries)-1)
		}
	}
	return l
}

// parseEntry reads `loop.go  7.1 KB`, `chat/  (3 entries)`, `now -> v2`.
func parseEntry(name string) listed {
	e := listed{size: -1}
	if m := sizeAtEnd.FindStringSubmatch(name); m != nil {
		e.path, e.size = m[1], bytesOf(m[2], m[3])
		return e
	}
	if m := noteAtEnd.FindStringSubmatch(name); m != nil {
		name = m[1]
		e.inside, _ = strconv.Atoi(m[2]) // no number: not told
	}
	name, _, _ = strings.Cut(name, " -> ")
	e.path, e.folder = strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/")
	return e
}

func bytesOf(number, unit string) int64 {
	n, _ := strconv.ParseFloat(number, 64) // the pattern takes numbers alone
	switch unit {
	case "KB":
		n *= 1 << 10
	case "MB":
		n *= 1 << 20
	case "GB":
		n *= 1 << 30
	}
	return int64(n)
}

// splitNote parts a result from the line in brackets with which a tool ends it.
func splitNote(text string) (body, note string) {
	text = strings.TrimRight(text, "\n")
	at := strings.LastIndex(text, "\n") + 1
	last := text[at:]
	if strings.HasPrefix(last, "[") && strings.HasSuffix(last, "]") {
		return text[:at], last[1 : len(last)-1]
	}
	return text, ""
}

var countInNote = regexp.MustCompile(`\bof (\d+) (?:file|match)`)

// totalIn is how many things there are by a tool's own note, else how many it shows.
func totalIn(note string, shown int) int {
	if m := countInNote.FindStringSubmatch(note); m != nil {
		n, _ := strconv.Atoi(m[1]) // the pattern takes digits alone
		return max(n, shown)
	}
	return shown
}
