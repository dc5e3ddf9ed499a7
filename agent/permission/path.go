package permission

import (
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// pathPattern is a glob over slash-separated paths relative to the folder, symbolic links
// resolved. ** stands for any folders.
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
		return nil, errors.New("it is not a valid glob: a bracket or a brace is not closed")
	}
	return pathPattern{glob}, nil
}

// mightMatch ignores case and Unicode composition, as some file systems do. A file inside
// a matching folder matches.
func (p pathPattern) mightMatch(subject string) answer {
	folded := pathPattern{fold(p.glob)}
	for at := fold(path.Clean(subject)); at != "." && at != "/"; at = path.Dir(at) {
		if folded.plainlyMatches(at) {
			return yes
		}
	}
	return no
}

func (p pathPattern) plainlyMatches(subject string) bool {
	ok, err := doublestar.Match(p.glob, path.Clean(subject))
	return ok && err == nil
}

func (p pathPattern) neverAllows() error {
	if protected(strings.ReplaceAll(p.glob, "*", "x")) {
		return errors.New("git's and Pawl's own files are always asked about")
	}
	return nil
}

// fold makes names equal that some file system takes for the same one.
func fold(name string) string { return cases.Fold().String(norm.NFC.String(name)) }

// AllowedFile is the name of the file with the rules that a person added by answering a
// question.
const AllowedFile = "allowed.toml"

// protectedNames are files, and folders with all they hold, that no file tool writes
// without a question: git's settings and hooks can run programs, .claude holds agent
// types, and Pawl's own files say what it may do.
var protectedNames = set(".git .pawl .claude .mcp.json git~1 " + AllowedFile)

// protected reports whether a path needs a question before a file tool writes it. That
// includes the user's own settings, if the folder is their home.
func protected(name string) bool {
	parts := strings.Split(path.Clean(name), "/")
	for i, part := range parts {
		parts[i] = bareName(part)
	}
	return slices.ContainsFunc(parts, func(part string) bool { return protectedNames.has(part) }) ||
		parts[len(parts)-1] == "config.toml" && slices.Contains(parts, "pawl")
}

// bareName is the name that a file system may reduce a name to: macOS ignores zero-width
// characters; Windows ignores trailing dots and blanks, and takes what follows a colon for
// a stream of the file.
func bareName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name, _, _ = strings.Cut(name, ":")
	return fold(strings.TrimRight(name, ". "))
}
