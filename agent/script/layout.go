package script

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// layoutSurvey looks at the shape of a folder.
func layoutSurvey() survey {
	return survey{
		name: "survey the layout",
		word: "layout",
		prompt: "Survey the layout of this folder: what stands in its two upper levels, and how its README or its manifest begins. " +
			"Report what is there, with numbers. Change nothing.",
		steps:  layoutSteps,
		report: layoutReport,
	}
}

// manifests are the files that say what a folder is, the most telling first.
var manifests = [...]string{
	"README.md", "README", "README.txt", "README.rst", "go.mod", "package.json", "Cargo.toml",
	"pyproject.toml", "pom.xml", "Gemfile", "composer.json", "CMakeLists.txt", "Makefile",
}

func listTop() agent.Call { return call("list", map[string]any{"path": ".", "depth": 2}) }
func globAll() agent.Call { return call("glob", map[string]any{"pattern": "**/*"}) }

func readStart(path string) agent.Call {
	return call("read", map[string]any{"path": path, "limit": 40})
}

func listFolder(path string) agent.Call {
	return call("list", map[string]any{"path": path, "depth": 1})
}

func layoutSteps(s seen) []step {
	steps := []step{{"I begin with the two upper levels of the folder.", listTop()}}
	if _, looked := s.of(listTop()); !looked {
		return steps
	}
	l := parseListing(s.good(listTop()))
	if len(l.entries) == 0 {
		return append(steps, step{"The listing shows nothing, so I look for files by name, to be sure.", globAll()})
	}
	for i, path := range l.manifests() {
		say := fmt.Sprintf("The listing has %s at its top. %s may say what this folder is, so I read how it begins.", words.Count(len(l.top()), "entry"), code(path))
		if i > 0 {
			say = fmt.Sprintf("%s may say more. I read how it begins, too.", code(path))
		}
		steps = append(steps, step{say, readStart(path)})
	}
	if folder, ok := l.fullest(); ok {
		steps = append(steps, step{fmt.Sprintf("Of the folders %s holds the most entries. I look into it by itself.", code(folder.path+"/")), listFolder(folder.path)})
	}
	return steps
}

// top are the entries of the folder itself.
func (l listing) top() []listed {
	return slices.DeleteFunc(slices.Clone(l.entries), func(e listed) bool { return e.level > 0 })
}

// manifests are the two most telling files at the top.
func (l listing) manifests() []string {
	var found []string
	for _, name := range manifests {
		if slices.ContainsFunc(l.top(), func(e listed) bool { return !e.folder && e.path == name }) {
			found = append(found, name)
		}
	}
	return found[:min(2, len(found))]
}

// fullest is the folder at the top with the most entries.
func (l listing) fullest() (listed, bool) {
	var best listed
	for _, e := range l.top() {
		if e.folder && e.inside > best.inside {
			best = e
		}
	}
	return best, best.inside > 0
}

func layoutReport(s seen) string {
	a, looked := s.of(listTop())
	if !looked {
		return "Layout: nothing to report, I had not looked yet."
	}
	l := parseListing(a.text)
	var lines []string
	switch {
	case a.isError:
		lines = append(lines, "Layout: the folder could not be listed.")
	case len(l.entries) == 0:
		lines = append(lines, "Layout: no entries. list said: "+code(firstLine(a.text)))
	default:
		lines = append(lines, layoutLines(l)...)
	}
	lines = append(lines, namesFound(s)...)
	for _, path := range l.manifests() {
		if begin := beginning(s.good(readStart(path))); begin != "" {
			lines = append(lines, fmt.Sprintf("%s begins: %s", code(path), code(begin)))
		}
	}
	if folder, ok := l.fullest(); ok {
		if inner := parseListing(s.good(listFolder(folder.path))); len(inner.entries) > 0 {
			lines = append(lines, fmt.Sprintf("The fullest folder is %s: %s", code(folder.path+"/"), names(inner.top(), 6)))
		}
	}
	return facts(append(lines, s.failures()...))
}

func layoutLines(l listing) []string {
	var folders, files []listed
	for _, e := range l.top() {
		if e.folder {
			folders = append(folders, e)
		} else {
			files = append(files, e)
		}
	}
	below := len(l.entries) - len(folders) - len(files)
	lines := []string{fmt.Sprintf("Layout: %s and %s at the top, %s one level below.",
		words.Count(len(folders), "folder"), words.Count(len(files), "file"), words.Count(below, "entry"))}
	if len(folders) > 0 {
		lines = append(lines, "Folders: "+names(folders, 8))
	}
	if len(files) > 0 {
		lines = append(lines, "Files: "+names(files, 8))
	}
	if l.hidden > 0 {
		lines = append(lines, fmt.Sprintf("The listing left out %d more.", l.hidden))
	}
	if l.note != "" {
		lines = append(lines, "list added: "+code(l.note))
	}
	return lines
}

// namesFound tells what glob gave where list gave nothing.
func namesFound(s seen) []string {
	a, ok := s.of(globAll())
	if !ok || a.isError {
		return nil
	}
	paths, note := parsePaths(a.text)
	if len(paths) == 0 {
		return []string{"glob found no file either: " + code(note)}
	}
	return []string{fmt.Sprintf("glob found %s, such as %s", words.Count(totalIn(note, len(paths)), "file"), code(paths[0]))}
}

// names lists some entries, folders with what is known to be in them.
func names(entries []listed, most int) string {
	var words []string
	for _, e := range entries[:min(most, len(entries))] {
		switch {
		case e.folder && e.inside > 0:
			words = append(words, fmt.Sprintf("%s (%d)", code(e.path+"/"), e.inside))
		case e.folder:
			words = append(words, code(e.path+"/"))
		default:
			words = append(words, code(e.path))
		}
	}
	if more := len(entries) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// beginning is the first line of a file that says something, from a result of the
// read tool, which numbers lines.
func beginning(text string) string {
	body, _ := splitNote(text)
	for line := range strings.Lines(body) {
		if _, after, numbered := strings.Cut(line, "\t"); numbered {
			line = after
		}
		if line = strings.TrimSpace(line); strings.Trim(line, "{}[]<>#-=* ") != "" {
			return words.Cut(line, 100)
		}
	}
	return ""
}
