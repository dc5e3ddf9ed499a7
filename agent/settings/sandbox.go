package settings

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"pawl/internal/words"
)

// Sandbox is what commands are kept from: sandbox = "strict", or a table with a mode and a
// list. An empty mode means auto, never off.
type Sandbox struct {
	Mode string `toml:"mode"` // auto, strict or off
	// Write names further folders to which commands may write: full paths, or from ~ on.
	Write []string `toml:"write"`
}

// sandboxModes are the modes, strictest first.
var sandboxModes = []string{"strict", "auto", "off"}

// UnmarshalText reads a mode that is written without a table.
func (s *Sandbox) UnmarshalText(text []byte) error {
	s.Mode = string(text)
	return nil
}

// Paths are the full paths of Write.
func (s Sandbox) Paths() []string {
	var paths []string
	for _, path := range s.Write {
		paths = append(paths, filepath.Clean(fromHome(path)))
	}
	return paths
}

// TightenedBy is this sandbox with a project's stricter mode. A project's list adds nothing.
func (s Sandbox) TightenedBy(project Sandbox) Sandbox {
	if project.Mode != "" && strictness(project.Mode) > strictness(s.Mode) {
		s.Mode = project.Mode
	}
	return s
}

// Loosens names the keys of a project's sandbox that are ignored, because they would allow
// more than this one.
func (s Sandbox) Loosens(project Sandbox) []string {
	var keys []string
	if project.Mode != "" && strictness(project.Mode) < strictness(s.Mode) {
		keys = append(keys, "sandbox.mode")
	}
	for _, path := range project.Paths() {
		if !slices.Contains(s.Paths(), path) {
			return append(keys, "sandbox.write")
		}
	}
	return keys
}

// strictness orders the modes. An unknown one is the strictest.
func strictness(mode string) int {
	return -slices.Index(sandboxModes, cmp.Or(mode, "auto"))
}

// check refuses unknown modes, relative paths and the root folder.
func (s Sandbox) check(where string) error {
	var found []error
	if s.Mode != "" && !slices.Contains(sandboxModes, s.Mode) {
		found = append(found, &Error{where, fmt.Sprintf("sandbox %q: must be auto, strict or off%s", s.Mode, words.DidYouMean(s.Mode, sandboxModes))})
	}
	for _, path := range s.Write {
		switch whole := fromHome(path); {
		case !filepath.IsAbs(whole) || strings.ContainsRune(whole, 0):
			found = append(found, &Error{where, fmt.Sprintf("sandbox.write %q: must be the full path of a folder, or begin with ~/", path)})
		case filepath.Clean(whole) == "/":
			found = append(found, &Error{where, fmt.Sprintf(`sandbox.write %q: that is every folder; if you mean that, write sandbox = "off"`, path)})
		}
	}
	return All(found...)
}

// fromHome replaces ~ by the home folder.
func fromHome(path string) string {
	if path == "~" {
		return xdg.Home
	}
	if rest, found := strings.CutPrefix(path, "~/"); found {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}
