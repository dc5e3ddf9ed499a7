package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "modulepath: name the new path: make module PATH=example.org/you/pawl")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulepath: "+err.Error())
		os.Exit(1)
	}
	fmt.Printf("the module is %s now, in %d files: make test, and commit them\n", os.Args[1], changed)
}

// rename changes the path of the module whose folder is given, and returns in how many files.
func rename(folder, to string) (changed int, err error) {
	if err := module.CheckPath(to); err != nil {
		return 0, fmt.Errorf("%w: it must look like example.org/you/pawl", err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return 0, err
	}
	from := modfile.ModulePath(text)
	if from == "" {
		return 0, errors.New("go.mod names no module")
	}
	if from == to {
		return 0, nil
	}
	files, err := tracked(folder)
	if err != nil {
		return 0, err
	}
	pattern := imports(from, files)
	for _, name := range files {
		if name == "CHANGELOG.md" {
			continue // it tells what was
		}
		one, err := rewrite(filepath.Join(folder, name), name, from, to, pattern)
		if err != nil {
			return changed, err
		}
		if one {
			changed++
		}
	}
	return changed, nil
}

// tracked are the files that git has, and those that it would take.
func tracked(folder string) ([]string, error) {
	cmd := exec.CommandContext(context.Background(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// imports matches the path where a folder of Go code of the module stands behind it.
func imports(path string, files []string) *regexp.Regexp {
	var folders []string
	for _, name := range files {
		top, _, below := strings.Cut(filepath.ToSlash(name), "/")
		if below && strings.HasSuffix(name, ".go") && !slices.Contains(folders, top) && top != "testdata" {
			folders = append(folders, top)
		}
	}
	return regexp.MustCompile(`(^|[^A-Za-z0-9_./@~-])` + regexp.QuoteMeta(path) + `/(` + strings.Join(folders, "|") + `)\b`)
}

// rewrite changes one file, if there is something in it to change.
func rewrite(path, name, from, to string, pattern *regexp.Regexp) (changed bool, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil // it was deleted, or is a link
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var next []byte
	switch {
	case name == "go.mod":
		next = bytes.Replace(text, []byte("module "+from+"\n"), []byte("module "+to+"\n"), 1)
	case bytes.IndexByte(text, 0) >= 0:
		return false, nil
	default:
		next = pattern.ReplaceAll(text, []byte("${1}"+to+"/${2}"))
		if strings.HasSuffix(name, ".go") && !bytes.Equal(next, text) {
			if next, err = format.Source(next); err != nil { // columns have moved
				return false, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if bytes.Equal(next, text) {
		return false, nil
	}
	return true, os.WriteFile(path, next, info.Mode().Perm())
}
