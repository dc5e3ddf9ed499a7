package script

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// todoSurvey looks for marks of work that is left open.
func todoSurvey() survey {
	return survey{
		name: "find open TODOs",
		word: "todo",
		prompt: "Find the open TODOs of this folder: lines with " + marks + ". " +
			"Read around some of them, and report how many there are and what they say, with path and line. Change nothing.",
		steps:  todoSteps,
		report: todoReport,
	}
}

// marks are the words of open work, as people read them.
const marks = "TODO, FIXME, XXX or HACK"

func grepMarks() agent.Call {
	return call("grep", map[string]any{"pattern": `\b(TODO|FIXME|XXX|HACK)\b`})
}

func grepAnyCase() agent.Call {
	return call("grep", map[string]any{"pattern": `(?i)\b(todo|fixme|hack)\b`})
}

// readAround shows the lines around a hit.
func readAround(h hit) agent.Call {
	return call("read", map[string]any{"path": h.path, "offset": max(1, h.line-6), "limit": 14})
}

// hit is one line that grep found.
type hit struct {
	path string
	line int
	text string
}

func (h hit) place() string { return fmt.Sprintf("%s:%d", h.path, h.line) }

func todoSteps(s seen) []step {
	steps := []step{{"I search all text for " + marks + ".", grepMarks()}}
	if _, looked := s.of(grepMarks()); !looked {
		return steps
	}
	hits, _ := parseHits(s.good(grepMarks()))
	if len(hits) == 0 {
		steps = append(steps, step{"That search gave me no line. I try other spellings of the same words.", grepAnyCase()})
		hits, _ = parseHits(s.good(grepAnyCase()))
	}
	for _, h := range inTwoFiles(hits) {
		steps = append(steps, step{code(h.place()) + " has one. I read the lines around it.", readAround(h)})
	}
	return steps
}

// inTwoFiles are the first hits of the first two files.
func inTwoFiles(hits []hit) []hit {
	var firsts []hit
	for _, h := range hits {
		if len(firsts) < 2 && (len(firsts) == 0 || firsts[0].path != h.path) {
			firsts = append(firsts, h)
		}
	}
	return firsts
}

var (
	hitUnderPath = regexp.MustCompile(`^(\d+): ?(.*)$`)
	hitWithPath  = regexp.MustCompile(`^(.+?):(\d+): ?(.*)$`)
)

// parseHits reads a result of grep: a path, below it its lines as "12: text". It
// also reads "path:12: text".
func parseHits(text string) (hits []hit, note string) {
	body, note := splitNote(text)
	path := ""
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if m := hitUnderPath.FindStringSubmatch(line); m != nil && path != "" {
			hits = append(hits, newHit(path, m[1], m[2]))
		} else if m := hitWithPath.FindStringSubmatch(line); m != nil {
			hits = append(hits, newHit(m[1], m[2], m[3]))
		} else if line != "" {
			path = line
		}
	}
	return hits, note
}

func newHit(path, line, text string) hit {
	n, _ := strconv.Atoi(line) // the pattern takes digits alone
	return hit{path: path, line: n, text: strings.TrimSpace(text)}
}

func todoReport(s seen) string {
	a, looked := s.of(grepMarks())
	if !looked {
		return "Open marks: nothing to report, I had not looked yet."
	}
	hits, note := parseHits(a.text)
	var lines []string
	switch {
	case a.isError:
		lines = append(lines, "Open marks: the search did not work.")
	case len(hits) > 0:
		lines = append(lines, hitLines(hits, note, marks)...)
	case note == "" && !strings.HasPrefix(a.text, "No match"):
		lines = append(lines, "Open marks: grep answered in a form that this script cannot count: "+code(firstLine(a.text)))
	default:
		lines = append(lines, fmt.Sprintf("Open marks: none. No line has %s (grep: %s).", marks, code(firstLine(note))))
	}
	if other, otherNote := parseHits(s.good(grepAnyCase())); len(other) > 0 {
		lines = append(lines, hitLines(other, otherNote, "another spelling of them")...)
		hits = other
	}
	for _, h := range inTwoFiles(hits) {
		if s.good(readAround(h)) != "" {
			lines = append(lines, "I read the lines around "+code(h.place())+".")
		}
	}
	return facts(append(lines, s.failures()...))
}

// hitLines counts hits and quotes the first five.
func hitLines(hits []hit, note, what string) []string {
	files := map[string]bool{}
	for _, h := range hits {
		files[h.path] = true
	}
	line := fmt.Sprintf("Open marks: %s with %s", words.Count(totalIn(note, len(hits)), "line"), what)
	if note == "" {
		line += " in " + words.Count(len(files), "file")
	} else {
		line += " (grep: " + code(note) + ")"
	}
	lines := []string{line + "."}
	const most = 5
	for _, h := range hits[:min(most, len(hits))] {
		lines = append(lines, code(h.place()+" "+words.Cut(h.text, 100)))
	}
	if more := totalIn(note, len(hits)) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}
