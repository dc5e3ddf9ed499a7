package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Enclosed reports whether git, where it only reads, shows nothing but this checkout: git finds it by the
// nearest .git, its file .git and the folder that it names agree, no setting leads to files elsewhere, and
// no file that git reads is a link, whose target it would show in its errors. Without a checkout it is
// true.
func (c Checkout) Enclosed() bool {
	if c.Top == "" || c.elsewhere {
		return !c.elsewhere
	}
	link := filepath.Join(c.Top, ".git")
	info, err := os.Lstat(link)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return false
	}
	own := gitFolder(link)
	common, err := commonFolder(own)
	if err != nil || !isGit(own, common) {
		return false
	}
	switch {
	case own != common: // a worktree's
		if _, err := ownFolder(c.Top, common); err != nil || !samePlace(filepath.Dir(own), filepath.Join(common, "worktrees")) {
			return false
		}
	case !info.IsDir() && !ledBack(own, c.Top): // of a submodule it leads back
		return false
	}
	return !leadsOut(common)
}

// mostEntriesOfGit is how much of a git folder is looked at; beyond it there may be a link.
const mostEntriesOfGit = 100_000

// notRead are names in a git folder that commands which only read do not look into.
var notRead = []string{"hooks", "lfs", "annex", "modules"}

// leadsOut reports whether a file that git reads is a link. The folders of the worktrees are in the common
// one. The 256 folders of single objects are left out: what is none is not shown.
func leadsOut(common string) bool {
	looked, objects := 0, filepath.Join(common, "objects")
	err := filepath.WalkDir(common, func(path string, entry fs.DirEntry, err error) error {
		looked++
		skip := filepath.Dir(path) == common && slices.Contains(notRead, entry.Name()) || filepath.Dir(path) == objects && len(entry.Name()) == 2
		switch {
		case err != nil:
			return err
		case skip && entry.IsDir():
			return fs.SkipDir
		case looked > mostEntriesOfGit, !skip && entry.Type()&fs.ModeSymlink != 0:
			return fs.ErrInvalid
		}
		return nil
	})
	return err != nil || objectsLeadOut(objects, mostAlternates)
}

// mostAlternates is how far git follows folders of objects that name others.
const mostAlternates = 5

// objectsLeadOut looks at a folder of objects and at those that it says are others' that count too. Git
// prints each line of such a list that is no folder.
func objectsLeadOut(objects string, deep int) bool {
	if holdsLink(objects) || holdsLink(filepath.Join(objects, "info")) {
		return true
	}
	list := filepath.Join(objects, "info", "alternates")
	text, err := read(list)
	if err != nil {
		return exists(list)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, `"`) { // git reads what it quotes
			return true
		}
		if line != "" && (deep == 0 || objectsLeadOut(beside(objects, line), deep-1)) {
			return true
		}
	}
	return false
}

// headSays is what git takes for a HEAD. Where it is another text git looks further up.
var headSays = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(ref: refs/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$`)
})

// isGit reports whether git takes a folder for a git folder.
func isGit(own, common string) bool {
	head, err := read(filepath.Join(own, "HEAD"))
	return err == nil && headSays().MatchString(head) && isFolder(filepath.Join(common, "objects")) && isFolder(filepath.Join(common, "refs"))
}

// isFolder reports whether a folder may be entered.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	_, err = os.Lstat(path + "/.")
	return err == nil
}

// holdsLink reports whether an entry of a folder is a link; true also if it cannot be read.
func holdsLink(folder string) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return exists(folder)
	}
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.Type()&fs.ModeSymlink != 0 })
}

// ledBack reports whether the config of a git folder names a worktree, and that is this one.
func ledBack(own, top string) bool {
	text, err := read(filepath.Join(own, "config"))
	if err != nil {
		return false
	}
	all, err := parse(text)
	last := ""
	for _, s := range all {
		if s.section == "core" && s.key == "worktree" {
			last = s.value
		}
	}
	return err == nil && last != "" && !turnsBack(last) && samePlace(beside(own, last), top)
}

// worktreeOf says what a git folder is of.
type worktreeOf struct {
	own   string   // the git folder
	top   string   // the worktree from which Look came to it
	super []string // for a submodule: the worktrees that it may be in
}

// leaves reports whether a setting has git show files that are not the checkout's: of another worktree,
// whose .git does not lead back, or named by a setting.
func (s setting) leaves(at worktreeOf) bool {
	switch s.section + "." + s.key {
	case "core.worktree":
		to := beside(at.own, s.value)
		if turnsBack(s.value) {
			return true
		}
		if at.super != nil { // the submodule's folder may be gone
			return !slices.ContainsFunc(at.super, func(top string) bool { return local(top, to) })
		}
		return !samePlace(gitFolder(filepath.Join(to, ".git")), at.own)
	case "core.attributesfile", "blame.ignorerevsfile": // git shows lines that it does not understand
		other := strings.HasPrefix(s.value, "%") || strings.HasPrefix(s.value, "~") && !strings.HasPrefix(s.value, "~/")
		return s.value != "" && (other || turnsBack(s.value) || !inside(at.top, resolve(at.top, s.value)))
	}
	return false
}

// local reports whether a path is in a folder by its words.
func local(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// inside reports whether a path, links followed, is in a folder; where nothing is there, by its words.
func inside(folder, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return !exists(path) && local(folder, path)
	}
	folder, err = filepath.EvalSymlinks(folder)
	return err == nil && strings.HasPrefix(real, folder+string(filepath.Separator))
}
