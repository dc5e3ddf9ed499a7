package script

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// languageSurvey counts files by their extension and adds up what they weigh.
func languageSurvey() survey {
	return survey{
		name: "measure languages and sizes",
		word: "languages",
		prompt: "Measure the languages and sizes of this folder: how many files there are of each extension, and how large they are as far as a listing tells. " +
			"Report the numbers that the tools gave, and where they are not whole. Change nothing.",
		steps:  languageSteps,
		report: languageReport,
	}
}

func globOf(ext string) agent.Call { return call("glob", map[string]any{"pattern": "**/*" + ext}) }
func listDeep() agent.Call         { return call("list", map[string]any{"path": ".", "depth": 3}) }

// tally is a number of files of one extension.
type tally struct {
	ext   string // with its dot; empty: none
	files int
	bytes int64
}

func (t tally) name() string {
	if t.ext == "" {
		return "no extension"
	}
	return code(t.ext)
}

func languageSteps(s seen) []step {
	steps := []step{{"I begin with the names of all files.", globAll()}}
	if _, looked := s.of(globAll()); !looked {
		return steps
	}
	paths, note := parsePaths(s.good(globAll()))
	tallies := tallyPaths(paths)
	for _, t := range leading(tallies) {
		why := "to check the number"
		if note != "" {
			why = "because the first list is not whole"
		}
		steps = append(steps, step{fmt.Sprintf("%s: %d of the %s that I was shown. I count those by themselves, %s.",
			code(t.ext), t.files, words.Count(len(paths), "file"), why), globOf(t.ext)})
	}
	return append(steps, step{"For the sizes I take a listing of three levels.", listDeep()})
}

var plainExt = regexp.MustCompile(`^\.[A-Za-z0-9_+-]+$`)

// leading are the two most frequent extensions that a pattern can name.
func leading(tallies []tally) []tally {
	named := slices.DeleteFunc(slices.Clone(tallies), func(t tally) bool { return !plainExt.MatchString(t.ext) })
	return named[:min(2, len(named))]
}

// parsePaths reads a result of glob: a path a line.
func parsePaths(text string) (paths []string, note string) {
	body, note := splitNote(text)
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" {
			paths = append(paths, line)
		}
	}
	return paths, note
}

// extension is that of a path; a name that is all extension has none.
func extension(name string) string {
	base := path.Base(name)
	ext := path.Ext(base)
	if ext == base || ext == "." {
		return ""
	}
	return ext
}

// tallyPaths counts paths by extension, the most frequent first.
func tallyPaths(paths []string) []tally {
	byExt := map[string]tally{}
	for _, p := range paths {
		ext := extension(p)
		byExt[ext] = tally{ext: ext, files: byExt[ext].files + 1}
	}
	return slices.SortedFunc(maps.Values(byExt), func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.files, a.files), cmp.Compare(a.name(), b.name()))
	})
}

// tallySizes adds up the sizes in a listing by extension, the heaviest first.
func tallySizes(l listing) (tallies []tally, all tally) {
	byExt := map[string]tally{}
	for _, e := range l.entries {
		if e.folder || e.size < 0 {
			continue
		}
		ext := extension(e.path)
		byExt[ext] = tally{ext: ext, files: byExt[ext].files + 1, bytes: byExt[ext].bytes + e.size}
		all.files, all.bytes = all.files+1, all.bytes+e.size
	}
	tallies = slices.SortedFunc(maps.Values(byExt), func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.name(), b.name()))
	})
	return tallies, all
}

func languageReport(s seen) string {
	a, looked := s.of(globAll())
	if !looked {
		return "Languages: nothing to report, I had not looked yet."
	}
	paths, note := parsePaths(a.text)
	var lines []string
	switch {
	case a.isError:
		lines = append(lines, "Languages: the files could not be listed.")
	case len(paths) == 0:
		lines = append(lines, "Languages: no files. glob said: "+code(cmp.Or(note, firstLine(a.text))))
	default:
		lines = append(lines, countLines(s, paths, note)...)
	}
	lines = append(lines, sizeLines(s)...)
	return facts(append(lines, s.failures()...))
}

// countLines tells the numbers: those that a glob of their own made whole, and
// those that are of the first list alone.
func countLines(s seen, paths []string, note string) []string {
	var whole, sample []tally
	for _, t := range tallyPaths(paths) {
		own, ownNote := parsePaths(s.good(globOf(t.ext)))
		switch {
		case t.ext != "" && len(own) > 0:
			t.files = totalIn(ownNote, len(own))
			whole = append(whole, t)
		case note == "":
			whole = append(whole, t)
		default:
			sample = append(sample, t)
		}
	}
	lines := []string{fmt.Sprintf("Languages: %s.", words.Count(totalIn(note, len(paths)), "file"))}
	if len(whole) > 0 {
		lines = append(lines, "By extension: "+fileCounts(whole)+".")
	}
	if len(sample) > 0 {
		lines = append(lines, fmt.Sprintf("The list of all was not whole (%s). Among the %d it showed: %s.", code(note), len(paths), fileCounts(sample)))
	}
	return lines
}

func fileCounts(tallies []tally) string {
	slices.SortStableFunc(tallies, func(a, b tally) int { return cmp.Compare(b.files, a.files) })
	const most = 6
	var parts []string
	for _, t := range tallies[:min(most, len(tallies))] {
		parts = append(parts, fmt.Sprintf("%s %d", t.name(), t.files))
	}
	if more := len(tallies) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

func sizeLines(s seen) []string {
	l := parseListing(s.good(listDeep()))
	tallies, all := tallySizes(l)
	if all.files == 0 {
		return nil
	}
	var parts []string
	for _, t := range tallies[:min(4, len(tallies))] {
		parts = append(parts, fmt.Sprintf("%s %s", t.name(), words.Size(t.bytes)))
	}
	line := fmt.Sprintf("Sizes: about %s in %s of the three upper levels: %s.", words.Size(all.bytes), words.Count(all.files, "file"), strings.Join(parts, ", "))
	if l.hidden > 0 || l.note != "" {
		line += " That listing left some out."
	}
	return []string{line}
}
