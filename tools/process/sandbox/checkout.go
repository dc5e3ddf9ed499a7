package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/regular"
)

// checkout is the git checkout around a folder. The zero value is none.
type checkout struct {
	link   string // the file .git of a worktree or a submodule; empty where that is the folder
	own    string // the git folder of this checkout
	common string // that of all its worktrees
}

// findCheckout looks for a checkout as git does, from the folder upwards. A file
// .git says where the git folder is; it is believed only where that says the same of
// the file: a command could have written it to be let into another folder. For the
// same reason a link is not followed.
func findCheckout(folder string) checkout {
	if !filepath.IsAbs(folder) {
		return checkout{}
	}
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		path := filepath.Join(at, ".git")
		info, err := os.Lstat(path)
		switch {
		case err != nil && at == "/":
			return checkout{}
		case err != nil:
			continue
		case info.IsDir() && isGit(path):
			return checkout{own: path, common: path}
		case info.Mode().IsRegular():
			return linked(path)
		case at == "/":
			return checkout{}
		}
	}
}

// linked is the checkout of a file .git; one that cannot be believed has this file
// alone.
func linked(link string) checkout {
	alone := checkout{link: link}
	own, found := strings.CutPrefix(firstLine(link), "gitdir: ")
	if !found {
		return alone
	}
	own = beside(filepath.Dir(link), own)
	if back := firstLine(filepath.Join(own, "gitdir")); back != "" { // a worktree
		common := beside(own, firstLine(filepath.Join(own, "commondir")))
		if samePath(beside(own, back), link) && filepath.Dir(own) == filepath.Join(common, "worktrees") && isGit(common) {
			return checkout{link: link, own: own, common: common}
		}
		return alone
	}
	if isGit(own) && samePath(worktreeOf(own), filepath.Dir(link)) { // a submodule
		return checkout{link: link, own: own, common: own}
	}
	return alone
}

// longestGitFile bounds what is read of git's own files, in bytes.
const longestGitFile = 1 << 20

// worktreeOf reads core.worktree of a submodule's git folder.
func worktreeOf(own string) string {
	text, _ := regular.Read(filepath.Join(own, "config"), longestGitFile) // unread, it says nothing
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, "="); found && strings.TrimSpace(name) == "worktree" {
			return beside(own, strings.TrimSpace(value))
		}
	}
	return ""
}

func isGit(folder string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

func firstLine(path string) string {
	text, _ := regular.Read(path, longestGitFile) // unread, it says nothing
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

func beside(folder, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

func samePath(a, b string) bool {
	one, err := filepath.EvalSymlinks(a)
	other, err2 := filepath.EvalSymlinks(b)
	return err == nil && err2 == nil && one == other
}

func (c checkout) folders() []string {
	switch {
	case c.common == "":
		return nil
	case within(c.common, c.own):
		return []string{c.common}
	}
	return []string{c.common, c.own}
}

// obeyed are the names of what git takes settings and programs from, in a git folder of
// its own.
var obeyed = []string{"config", "config.worktree", "hooks"}

// frozen are the files by which git can be made to run a program: of this checkout, of
// its submodules, which git looks into, and of its other worktrees. Those that lie where a
// command may write are left out: it could write their file .git as well.
func (c checkout) frozen(writable []string) []string {
	var all []string
	if c.link != "" {
		all = append(all, c.link)
	}
	add := func(folder string, names ...string) {
		for _, name := range names {
			all = append(all, filepath.Join(folder, name))
		}
	}
	for _, folder := range c.repositories() {
		add(folder, obeyed...)
	}
	for _, folder := range c.worktrees() {
		link := beside(folder, firstLine(filepath.Join(folder, "gitdir")))
		open := func(root string) bool { return within(root, link) }
		if folder == c.own || !slices.ContainsFunc(writable, open) {
			add(folder, "config.worktree", "commondir", "gitdir")
		}
	}
	return all
}

// repositories are the git folders with settings of their own: the common one, and those
// of submodules, which each worktree has for itself.
func (c checkout) repositories() []string {
	if c.common == "" {
		return nil
	}
	all := []string{c.common}
	for _, folder := range append([]string{c.common}, c.worktrees()...) {
		all = append(all, submodules(filepath.Join(folder, "modules"), mostDeep)...)
	}
	return all
}

// worktrees are the folders of the linked worktrees, this one's among them.
func (c checkout) worktrees() []string {
	if c.common == "" {
		return nil
	}
	var all []string
	if c.own != c.common {
		all = []string{c.own}
	}
	for _, name := range foldersIn(filepath.Join(c.common, "worktrees")) {
		if folder := filepath.Join(c.common, "worktrees", name); folder != c.own {
			all = append(all, folder)
		}
	}
	return all
}

// mostDeep is how far down submodules are looked for: those in submodules, and those
// with slashes in their names.
const mostDeep = 8

// submodules are the git folders below a folder of them.
func submodules(folder string, deep int) []string {
	var all []string
	if deep == 0 {
		return nil
	}
	for _, name := range foldersIn(folder) {
		below := filepath.Join(folder, name)
		if isGit(below) {
			all = append(append(all, below), submodules(filepath.Join(below, "modules"), deep-1)...)
			continue
		}
		all = append(all, submodules(below, deep-1)...)
	}
	return all
}

// complete makes what can be frozen only once it is there: an empty folder of hooks
// and empty files of settings mean the same as none.
func (c checkout) complete() {
	empty := func(path string) {
		if file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
			_ = file.Close()
		}
	}
	for _, folder := range c.repositories() {
		_ = os.Mkdir(filepath.Join(folder, "hooks"), 0o755) // mostly it is there; else doctor's gaps name it
		empty(filepath.Join(folder, "config"))
		empty(filepath.Join(folder, "config.worktree"))
	}
	for _, folder := range c.worktrees() {
		empty(filepath.Join(folder, "config.worktree"))
	}
}

// diversions are files that no git folder has but a worktree's, and that make git obey
// another one. None can be frozen: git would fail over an empty one. So those that a
// command leaves are taken away when it has ended.
func (c checkout) diversions() []string {
	var all []string
	for _, folder := range c.repositories() {
		path := filepath.Join(folder, "commondir")
		if _, err := os.Lstat(path); err != nil {
			all = append(all, path)
		}
	}
	return all
}

// RemoveDiversions removes those of Confinement's diversions that have come to be, and
// names them.
func RemoveDiversions(paths []string) []string {
	var gone []string
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && os.RemoveAll(path) == nil {
			gone = append(gone, path)
		}
	}
	return gone
}
