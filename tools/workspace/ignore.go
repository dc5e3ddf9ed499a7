package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"pawl/internal/regular"
)

// maxIgnoreFile bounds what is read of an ignore file.
const maxIgnoreFile = 1 << 20

// Rules are the ignore rules that hold in one folder: those of the repository
// around it and of every folder on the way down. A value is never changed, so
// that the walk of one folder does not disturb that of another.
type Rules struct {
	prefix   []string // from the top of the repository to the workspace's folder
	patterns []gitignore.Pattern
}

// Hides says whether an entry of the workspace is left out of walks: .git always,
// and what the rules ignore.
func (r Rules) Hides(path string, folder bool) bool {
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

func (r Rules) parts(path string) []string {
	if path == "." {
		return slices.Clip(r.prefix)
	}
	return append(slices.Clip(r.prefix), strings.Split(path, "/")...)
}

// with adds the rules that an ignore file in a folder sets for all below it.
func (r Rules) with(domain []string, text string) Rules {
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
func (w *Workspace) rulesAbove() Rules {
	top, prefix := w.folder, []string{}
	for !exists(filepath.Join(top, ".git")) {
		parent := filepath.Dir(top)
		if parent == top { // no repository: only the folder's own files count
			return Rules{}
		}
		prefix = append([]string{filepath.Base(top)}, prefix...)
		top = parent
	}
	r := Rules{prefix: prefix}
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
	text, err := regular.Read(name, maxIgnoreFile)
	if err != nil {
		return ""
	}
	return string(text)
}

// RulesIn adds the ignore file of a folder, at its located path, to the rules that hold
// around it.
func (w *Workspace) RulesIn(dir string, around Rules) Rules {
	name := filepath.ToSlash(filepath.Join(dir, ".gitignore"))
	if info, err := w.root.Lstat(filepath.FromSlash(name)); err != nil || info.Size() > maxIgnoreFile {
		return around
	}
	file, err := w.load(name, os.O_RDONLY)
	if err != nil {
		return around
	}
	return around.with(around.parts(dir), string(file.Data))
}

// RulesAt gives the rules for what is in a folder, at its located path. One that is itself ignored
// has only been named on purpose: then the rules around it do not count.
func (w *Workspace) RulesAt(dir string) Rules {
	r := w.above
	if dir == "." {
		return w.RulesIn(dir, r)
	}
	at := "."
	r = w.RulesIn(at, r)
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.ToSlash(filepath.Join(at, part))
		if r.Hides(at, true) {
			r = Rules{prefix: r.prefix}
		}
		r = w.RulesIn(at, r)
	}
	return r
}
