package git

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Limits of what is read of a checkout. Beyond them it counts as one that starts programs.
const (
	longestFile = 1 << 20 // bytes of one file
	mostConfigs = 200     // configs, and the same for hooks
	mostEntries = 5000    // entries of the folder of submodules
)

// Checkout is what the files of the checkouts around a folder say. Git uses the nearest that it
// finds valid; all from the folder up are read, because that is git's decision.
type Checkout struct {
	Top string // the folder of the nearest .git; empty if there is none
	// Says has a line for each setting or hook by which git would start a program, or take another
	// folder for the checkout; empty if there are none.
	Says []string
	// Content changes if one of these changes.
	Content string
	// Included are the files that its settings include: git obeys them like its own.
	Included []string

	filters   []string // the names of its filters, which no single option turns off
	otherHash bool     // some config sets another object format, on which the index's depends
	elsewhere bool     // some config leads git to files that are not the checkout's
}

// Top is the folder of the nearest .git, from a folder up; empty if there is none. Nothing is
// opened.
func Top(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// Look reads a folder's checkouts. It starts no program and never blocks on a file that is not
// regular.
func Look(folder string) Checkout {
	l := &scan{seen: map[string]bool{}, filters: map[string]bool{}}
	var c Checkout
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			if c.Top == "" {
				c.Top = dir
			}
			l.repository(gitFolder(filepath.Join(dir, ".git")), dir)
		}
		if exists(filepath.Join(dir, "HEAD")) { // git may take it for a bare repository
			l.elsewhere = l.elsewhere || c.Top == "" || c.Top == dir
			if exists(filepath.Join(dir, "objects")) || exists(filepath.Join(dir, "commondir")) {
				l.repository(dir, dir)
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	c.Says, c.Content = l.says, strings.Join(append(slices.Clone(l.says), l.content...), "\n")
	c.Included = l.included
	c.filters = slices.Sorted(maps.Keys(l.filters))
	c.otherHash, c.elsewhere = l.otherHash, l.elsewhere
	return c
}

// scan collects what is found.
type scan struct {
	says, content []string
	included      []string
	filters       map[string]bool
	otherHash     bool
	elsewhere     bool
	seen          map[string]bool // files and folders seen
}

func (l *scan) report(format string, args ...any) {
	l.says = append(l.says, fmt.Sprintf(format, args...))
}

func (l *scan) once(path string) bool {
	if l.seen[path] {
		return false
	}
	l.seen[path] = true
	return true
}

func (l *scan) repository(dir, top string) {
	common, err := commonFolder(dir)
	if err != nil {
		l.report("%s: cannot be read: %v", filepath.Join(dir, "commondir"), err)
	}
	l.config(filepath.Join(dir, "config.worktree"), worktreeOf{own: dir, top: top})
	for i, place := range append([]string{common}, l.submodules(filepath.Join(common, "modules"))...) {
		at := worktreeOf{own: place, top: top}
		if i > 0 {
			at.super = []string{top, filepath.Dir(common)}
		}
		l.config(filepath.Join(place, "config"), at)
		l.config(filepath.Join(place, "config.worktree"), at)
		l.hooks(filepath.Join(place, "hooks"))
	}
}

// submodules returns the git folders of submodules, whose settings git uses too. A submodule may
// have the name of one of git's own folders, which lie beside a HEAD.
func (l *scan) submodules(dir string) []string {
	var found []string
	looked := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		looked++
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case looked > mostEntries:
			return errors.New("it has too many files to look at")
		case entry.IsDir() && slices.Contains([]string{"objects", "refs", "logs", "hooks", "info"}, entry.Name()) && exists(filepath.Join(filepath.Dir(path), "HEAD")):
			return fs.SkipDir
		case entry.Name() == "config":
			found = append(found, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		l.report("%s: cannot be looked through: %v", dir, err)
	}
	return found
}

// config reads a config of a git folder, and those that it includes.
func (l *scan) config(path string, at worktreeOf) {
	if !l.once(path) {
		return
	}
	text, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && text == "":
		return
	case len(l.seen) > mostConfigs:
		err = errors.New("there are too many before it")
	}
	var all []setting
	if err == nil {
		all, err = parse(text)
	}
	if err != nil {
		l.report("%s: cannot be read: %v", path, err)
		l.content = append(l.content, text)
		return
	}
	for _, s := range all {
		if s.section == "filter" {
			l.filters[s.part] = true
		}
		if s.section == "extensions" && s.key == "objectformat" && !strings.EqualFold(s.value, "sha1") {
			l.otherHash = true
		}
		away := s.leaves(at)
		l.elsewhere = l.elsewhere || away
		if away && s.key == "worktree" || !s.harmless() {
			l.report("%s = %s", s.name(), s.value)
		}
		if (s.section == "include" || s.section == "includeif") && s.key == "path" {
			file := resolve(filepath.Dir(path), s.value)
			l.included = append(l.included, file)
			l.config(file, at)
		}
	}
}

// hooks reports the programs in a folder that git runs as hooks.
func (l *scan) hooks(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil && exists(dir) {
		l.report("%s: cannot be looked through: %v", dir, err)
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if strings.HasSuffix(entry.Name(), ".sample") || err != nil || info.IsDir() || info.Mode()&0o111 == 0 || !l.once(path) {
			continue // git does not run these
		}
		text, err := read(path)
		if err != nil { // for example too long: use its size and time
			text = fmt.Sprint(info.Size(), info.ModTime())
		}
		l.report("hook %s", entry.Name())
		l.content = append(l.content, text)
	}
}

// gitFolder is the git folder: .git itself, or the folder that a .git file names. Like git it takes off
// line ends alone.
func gitFolder(path string) string {
	text, err := read(path)
	if err != nil {
		return path
	}
	target, found := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "gitdir: ")
	if !found || turnsBack(target) {
		return path
	}
	return beside(filepath.Dir(path), target)
}

// commonFolder is the git folder that a worktree's git folder shares with others, or that folder itself.
// With an error it is that too, though git may use another.
func commonFolder(own string) (string, error) {
	to, err := read(filepath.Join(own, "commondir"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return own, nil
	case err != nil:
		return own, err
	}
	if to = strings.TrimRight(to, "\r\n"); turnsBack(to) {
		return own, fmt.Errorf("it names %s, whose .. may lead anywhere", to)
	}
	return beside(own, to), nil
}

// turnsBack reports whether a path goes up behind a name, which may be a link. Git writes none such.
func turnsBack(path string) bool {
	named := filepath.IsAbs(path)
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." && named {
			return true
		}
		named = named || part != "" && part != "." && part != ".."
	}
	return false
}

// resolve is the path of a setting: relative to a folder or to the user's home.
func resolve(from, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return beside(from, path)
}

// beside is a path that may be relative to a folder.
func beside(from, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(from, path)
}
