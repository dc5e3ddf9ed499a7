package tools

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"pawl/internal/regular"
)

// maxIgnoreFile bounds what is read of an ignore file.
const maxIgnoreFile = 1 << 20

// rules are the ignore rules that hold in one folder: those of the repository
// around it and of every folder on the way down. A value is never changed, so
// that the walk of one folder does not disturb that of another.
type rules struct {
	prefix   []string // from the top of the repository to the workspace's folder
	patterns []gitignore.Pattern
}

// hide says whether an entry of the workspace is left out of walks: .git always,
// and what the rules ignore.
func (r rules) hide(path string, folder bool) bool {
	parts := r.parts(path)
	if parts[len(parts)-1] == ".git" {
		return true
	}
	for _, pattern := range slices.Backward(r.patterns) {
		switch pattern.Match(parts, folder) {
		case gitignore.Exclude:
			return true
		case gitignore.Include:
			return false
		case gitignore.NoMatch:
		}
	}
	return false
}

func (r rules) parts(path string) []string {
	if path == "." {
		return slices.Clip(r.prefix)
	}
	return append(slices.Clip(r.prefix), strings.Split(path, "/")...)
}

// with adds the rules that an ignore file in a folder sets for all below it.
func (r rules) with(domain []string, text string) rules {
	r.patterns = slices.Clip(r.patterns)
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// "dir/**" means what is in the folder, not the folder itself, which the
		// matcher takes it for; said in full it understands.
		if start, ok := strings.CutSuffix(line, "/**"); ok {
			line = start + "/**/*"
		} else if start, ok := strings.CutSuffix(line, "/**/"); ok {
			line = start + "/**/*/"
		}
		r.patterns = append(r.patterns, gitignore.ParsePattern(line, domain))
	}
	return r
}

// rulesAbove reads the rules that reach into the folder from outside: when it is
// a part of a repository, those of the folders above it. Nothing but ignore files
// is read there.
func (w *Workspace) rulesAbove() rules {
	top, prefix := w.folder, []string{}
	for !exists(filepath.Join(top, ".git")) {
		parent := filepath.Dir(top)
		if parent == top { // no repository: only the folder's own files count
			return rules{}
		}
		prefix = append([]string{filepath.Base(top)}, prefix...)
		top = parent
	}
	r := rules{prefix: prefix}
	r = r.with(nil, readIgnoreFile(filepath.Join(top, ".git", "info", "exclude")))
	dir := top
	for i, part := range prefix {
		r = r.with(prefix[:i], readIgnoreFile(filepath.Join(dir, ".gitignore")))
		dir = filepath.Join(dir, part)
	}
	return r
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// readIgnoreFile reads a regular file outside the workspace; what cannot be read
// sets no rules.
func readIgnoreFile(name string) string {
	f, err := regular.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return ""
	}
	return string(text)
}

// rulesIn adds a folder's own ignore file to the rules that hold around it.
func (w *Workspace) rulesIn(dir string, around rules) rules {
	name := filepath.ToSlash(filepath.Join(dir, ".gitignore"))
	if info, err := w.root.Lstat(filepath.FromSlash(name)); err != nil || info.Size() > maxIgnoreFile {
		return around
	}
	file, err := w.load(name, os.O_RDONLY)
	if err != nil {
		return around
	}
	return around.with(around.parts(dir), string(file.data))
}

// rulesAt gives the rules for what is in a folder. One that is itself ignored
// has only been named on purpose: then the rules around it do not count.
func (w *Workspace) rulesAt(dir string) rules {
	r := w.above
	if dir == "." {
		return w.rulesIn(dir, r)
	}
	at := "."
	r = w.rulesIn(at, r)
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.ToSlash(filepath.Join(at, part))
		if r.hide(at, true) {
			r = rules{prefix: r.prefix}
		}
		r = w.rulesIn(at, r)
	}
	return r
}
