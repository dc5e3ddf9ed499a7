package tools

import (
	"os"
	"path/filepath"
	"strings"
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

// worktreeOf reads core.worktree of a submodule's git folder.
func worktreeOf(own string) string {
	text, _ := os.ReadFile(filepath.Join(own, "config")) // unread, it says nothing
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, "="); found && strings.TrimSpace(name) == "worktree" {
			return beside(own, strings.TrimSpace(value))
		}
	}
	return ""
}

// isGit says whether a folder is one of git's.
func isGit(folder string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

func firstLine(path string) string {
	text, _ := os.ReadFile(path) // unread, it says nothing
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

// folders are what git writes in.
func (c checkout) folders() []string {
	switch {
	case c.common == "":
		return nil
	case within(c.common, c.own):
		return []string{c.common}
	}
	return []string{c.common, c.own}
}

// frozen are the files by which git can be made to run a program.
func (c checkout) frozen() []string {
	var all []string
	if c.link != "" {
		all = append(all, c.link)
	}
	if c.common == "" {
		return all
	}
	for _, name := range []string{"config", "config.worktree", "hooks"} {
		all = append(all, filepath.Join(c.common, name))
	}
	if c.own != c.common {
		for _, name := range []string{"config.worktree", "commondir", "gitdir"} {
			all = append(all, filepath.Join(c.own, name))
		}
	}
	return all
}

// complete makes what can be frozen only once it is there: an empty folder of hooks
// and an empty file of settings mean the same as none.
func (c checkout) complete() {
	if c.common == "" {
		return
	}
	_ = os.Mkdir(filepath.Join(c.common, "hooks"), 0o755) // mostly it is there; else doctor's gaps name it
	if file, err := os.OpenFile(filepath.Join(c.common, "config"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
		_ = file.Close()
	}
}
