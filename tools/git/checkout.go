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
	// Says has a line for each setting or hook by which git would start a program; empty if
	// there are none.
	Says []string
	// Content changes if one of these changes.
	Content string
	// Included are the files that its settings include: git obeys them like its own.
	Included []string

	filters   []string // the names of its filters, which no single option turns off
	otherHash bool     // some config sets another object format, on which the index's depends
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
			l.repository(gitFolder(filepath.Join(dir, ".git")))
		} else if exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) { // git takes this for a bare repository
			l.repository(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	c.Says, c.Content = l.says, strings.Join(append(slices.Clone(l.says), l.content...), "\n")
	c.Included = l.included
	c.filters = slices.Sorted(maps.Keys(l.filters))
	c.otherHash = l.otherHash
	return c
}

// scan collects what is found.
type scan struct {
	says, content []string
	included      []string
	filters       map[string]bool
	otherHash     bool
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

func (l *scan) repository(dir string) {
	common := dir
	if to, err := read(filepath.Join(dir, "commondir")); err == nil { // of a worktree
		common = resolve(dir, strings.TrimSpace(to))
	}
	l.config(filepath.Join(dir, "config.worktree"))
	for _, place := range append([]string{common}, l.submodules(filepath.Join(common, "modules"))...) {
		l.config(filepath.Join(place, "config"))
		l.config(filepath.Join(place, "config.worktree"))
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

func (l *scan) config(path string) {
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
		if !s.harmless() {
			l.report("%s = %s", s.name(), s.value)
		}
		if (s.section == "include" || s.section == "includeif") && s.key == "path" {
			file := resolve(filepath.Dir(path), s.value)
			l.included = append(l.included, file)
			l.config(file)
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

// gitFolder is the git folder: .git itself, or the folder that a .git file names.
func gitFolder(path string) string {
	text, err := read(path)
	if err != nil {
		return path
	}
	target, _ := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "gitdir:")
	return resolve(filepath.Dir(path), strings.TrimSpace(target))
}

// resolve makes a path absolute as git does: relative to a folder or to the user's home.
func resolve(from, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(from, path)
}
