package permission

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// pathPattern is a glob over paths that are relative to the folder, with slashes,
// their links followed: ** stands for any folders.
type pathPattern struct{ glob string }

func parsePath(text string) (matcher, error) {
	glob := strings.TrimPrefix(text, "./")
	switch {
	case text == "*":
		return pathPattern{"**"}, nil
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "~"):
		return nil, errors.New("it can never match: paths are relative to the folder, and file tools stay inside it")
	case slices.Contains(strings.Split(text, "/"), ".."):
		return nil, errors.New("it can never match: a path never holds .. when a rule sees it")
	case strings.HasSuffix(text, "/"):
		return nil, errors.New("it can never match: it names a folder; write " + glob + "** for the files in it")
	case !doublestar.ValidatePattern(glob):
		return nil, errors.New("it is no glob: a bracket or a brace is not closed")
	}
	return pathPattern{glob}, nil
}

// wide disregards case and how letters are composed, for some file systems do. A
// file in a folder that is meant is meant.
func (p pathPattern) wide(subject string) answer {
	folded := pathPattern{fold(p.glob)}
	for at := fold(path.Clean(subject)); at != "." && at != "/"; at = path.Dir(at) {
		if folded.narrow(at) {
			return yes
		}
	}
	return no
}

func (p pathPattern) narrow(subject string) bool {
	ok, err := doublestar.Match(p.glob, path.Clean(subject))
	return ok && err == nil
}

func (p pathPattern) grants() error {
	if protected(strings.ReplaceAll(p.glob, "*", "x")) {
		return errors.New("git's and Pawl's own files are always asked about")
	}
	return nil
}

// fold makes names equal that some file system takes for the same.
func fold(name string) string { return cases.Fold().String(norm.NFC.String(name)) }

// AllowedFile is the name of the file with the rules that a person added by answering.
const AllowedFile = "allowed.toml"

// protected says whether a path is one of those that no file tool writes without a
// question: git's settings and hooks can run programs, and Pawl's own files say what
// it may do, also the user's, where somebody works in their home folder.
func protected(name string) bool {
	parts := strings.Split(fold(path.Clean(name)), "/")
	if parts[0] == ".mcp.json" || slices.Contains(parts, ".git") || slices.Contains(parts, ".pawl") {
		return true
	}
	last := parts[len(parts)-1]
	return last == AllowedFile || last == "config.toml" && slices.Contains(parts, "pawl")
}
