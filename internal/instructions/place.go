package instructions

import (
	"path"
	"path/filepath"
	"strings"

	"pawl/agent"
	"pawl/internal/regular"
	"pawl/tools/git"
)

// Place says where instructions are looked for. All its methods may be called from any goroutine;
// each call reads the files as they are.
type Place struct {
	Folder string // where the model works: a whole path
	// Config is the user's config folder of Pawl, and Home the user's home folder. Empty: nothing
	// of the user's own is read.
	Config, Home string
	// Readable refuses files that are not to be read, with a text: those in Folder by their paths
	// relative to it, others by their whole paths. Nil refuses none.
	Readable func(path string) error
}

// inFolder are the files of which a folder's instructions are the first that says anything: what
// Codex takes for an override, the common name, and the two of Claude Code.
func inFolder() []string {
	return []string{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md"}
}

// besides is read in addition to those, as in Claude Code: it is one person's, and not committed.
const besides = "CLAUDE.local.md"

// Read gives what holds in the folder before any file is touched, in the order in which it is told:
// the user's own, then from the checkout's root down. Files of which nothing is given have a Note.
func (p Place) Read() []agent.Instruction {
	r, done := p.begin()
	defer done()
	r.readOwn()
	for _, dir := range r.levels(r.here) {
		r.readFolder(dir)
	}
	return r.bounded(maxAll)
}

// Below gives the instructions for a file of the folder that are in the folders between: name is
// relative to Folder. Files in given are left out.
func (p Place) Below(name string, given []agent.Instruction) []agent.Instruction {
	dir := path.Dir(filepath.ToSlash(name))
	if dir == "." || !filepath.IsLocal(filepath.FromSlash(dir)) {
		return nil
	}
	r, done := p.begin()
	defer done()
	r.know(given)
	dir = path.Join(r.here, dir)
	for _, level := range r.levels(dir)[len(r.levels(r.here)):] {
		r.readFolder(level)
	}
	return r.bounded(maxBelow)
}

// begin opens the checkout around the folder or, outside of one, the folder alone.
func (p Place) begin() (*reader, func()) {
	r := &reader{place: p}
	real, err := filepath.EvalSymlinks(p.Folder)
	if err != nil {
		return r, func() {} // nothing can be read there, and whoever works there says so
	}
	r.folder = real
	if r.top = git.Top(real); r.top == "" {
		r.top = real
	}
	here, err := filepath.Rel(r.top, real)
	if err != nil {
		return r, func() {}
	}
	r.here = filepath.ToSlash(here)
	root, err := regular.OpenRoot(r.top)
	if err != nil {
		return r, func() {}
	}
	r.root = root
	return r, func() { root.Close() }
}

// levels are the folders from the root down to one, that included, relative to the root.
func (r *reader) levels(dir string) []string {
	all := []string{"."}
	if dir == "." || dir == "" {
		return all
	}
	for i, c := range dir {
		if c == '/' {
			all = append(all, dir[:i])
		}
	}
	return append(all, dir)
}

// readOwn reads the user's own instructions: the first file that says anything.
func (r *reader) readOwn() {
	var candidates []string
	if r.place.Config != "" {
		candidates = append(candidates, filepath.Join(r.place.Config, "AGENTS.md"), filepath.Join(r.place.Config, "CLAUDE.md"))
	}
	if r.place.Home != "" {
		candidates = append(candidates, filepath.Join(r.place.Home, ".claude", "CLAUDE.md"))
	}
	r.readFirst(ownFiles{r}, candidates)
}

// readFolder reads the instructions of one folder of the checkout.
func (r *reader) readFolder(dir string) {
	if r.root == nil {
		return
	}
	var candidates []string
	for _, name := range inFolder() {
		candidates = append(candidates, path.Join(dir, name))
	}
	from := checkoutFiles{r}
	r.readFirst(from, candidates)
	r.take(from, path.Join(dir, besides), "", 0)
}

// readFirst reads the first of these files that says anything, and names the others that do.
func (r *reader) readFirst(from files, candidates []string) {
	used := ""
	for _, name := range candidates {
		switch {
		case used != "":
			r.passOver(from, name, used)
		case r.take(from, name, "", 0):
			used = name
		}
	}
}

// passOver names a file that gives way to another, unless it is the same, or holds nothing but a
// line that includes what is read.
func (r *reader) passOver(from files, name, used string) {
	file, err := r.open(from, name)
	if err != nil {
		return
	}
	defer file.Close()
	if r.knows(file.info) {
		return
	}
	text, _, err := readText(file.File)
	shown, _ := parse(text)
	if err != nil || strings.TrimSpace(shown) == "" || r.repeats(from, name, shown) {
		return
	}
	r.add(agent.Instruction{
		Source: from.title(name), Note: "not read, because " + path.Base(filepath.ToSlash(used)) + " is there", Size: file.info.Size(), Aside: true,
	})
}
