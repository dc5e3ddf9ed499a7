package workspace

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Delicate says why a change is asked about in every mode although its path has no
// name that says so; empty where there is no reason.
func (w *Workspace) Delicate(c Change) string {
	switch {
	case c.Old != nil && otherNames(c.Old.Info):
		return "the file has other names (hard links), which may be outside the folder: those keep the old content"
	case w.owned(c.Path):
		return "it is one of Pawl's own files"
	}
	for dir := path.Dir(c.Path); ; dir = path.Dir(dir) {
		if w.isGit(dir) {
			return "it is in one of git's folders, whose settings and hooks can run programs"
		}
		if dir == "." {
			return ""
		}
	}
}

func otherNames(info fs.FileInfo) bool {
	return linksOf(info) > 1
}

// owned says whether a located path is in one of Pawl's own folders. Case is
// disregarded, for some file systems do.
func (w *Workspace) owned(at string) bool {
	at = strings.ToLower(at)
	for _, own := range w.Own {
		for _, folder := range []string{own, unlinked(own)} {
			rel, inside := w.Inside(folder)
			if rel = strings.ToLower(rel); inside && (rel == "." || at == rel || strings.HasPrefix(at, rel+"/")) {
				return true
			}
		}
	}
	return false
}

// unlinked is a path without links; as it is, where nothing stands.
func unlinked(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	return name
}

// isGit says whether a folder is what git keeps in .git, under whatever name: that of
// a bare repository, or one that a .git file points to.
func (w *Workspace) isGit(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := w.root.Lstat(filepath.Join(filepath.FromSlash(dir), name)); err != nil {
			return false
		}
	}
	return true
}
