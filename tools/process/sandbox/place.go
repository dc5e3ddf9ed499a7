package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is where a command runs, as far as a sandbox goes by it.
type place struct {
	folder string
	home   string
	env    func(string) string
	git    checkout
	list   func(folder string) []string // the names of the folders in it
}

func placeOf(folder string, environ []string) place {
	if folder == "" {
		folder, _ = os.Getwd() // where there is none nothing is writable
	}
	env := variableOf(environ)
	return place{folder: folder, home: env("HOME"), env: env, list: foldersIn}
}

// variableOf reads an environment: of two values the last one holds.
func variableOf(environ []string) func(string) string {
	return func(name string) string {
		for _, entry := range slices.Backward(environ) {
			if value, found := strings.CutPrefix(entry, name+"="); found {
				return value
			}
		}
		return ""
	}
}

func foldersIn(folder string) []string {
	entries, _ := os.ReadDir(folder) // unread: there is none
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// resolved are the paths that are there, links followed: the folders around them are
// compared by name.
func resolved(paths []string) []string {
	var real []string
	for _, path := range paths {
		if at, err := filepath.EvalSymlinks(path); err == nil {
			real = append(real, at)
		}
	}
	return real
}
