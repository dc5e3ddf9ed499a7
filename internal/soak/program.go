package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// programs are what people install.
var programs = []string{".", "./internal/server"}

// subjects are the packages that a part puts to the test: those of its tests, and both programs where
// it starts them.
func (p part) subjects() []string {
	starts := func(pkg string) bool {
		return strings.HasPrefix(pkg, stories) || pkg == "./internal/modulepath" || p.Dir != ""
	}
	tested := slices.DeleteFunc(slices.Clone(p.Packages), starts)
	if len(tested) < len(p.Packages) {
		tested = append(tested, programs...)
	}
	return tested
}

// filesOfEach has go list print what a package of the module is compiled of: a line each, its folder
// and a file.
const filesOfEach = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
	`{{range .GoFiles}}{{$dir}}{{"\t"}}{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}{{"\t"}}{{.}}{{"\n"}}{{end}}{{end}}{{end}}`

// programOf is a hash of all that some packages and their tests are compiled of on this system, but
// for the tests themselves: results of one program add up, whatever has changed in tests and pages.
func programOf(ctx context.Context, root string, packages []string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-test", "-f", filesOfEach}, packages...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask go what %s are compiled of: %w", strings.Join(packages, ", "), err)
	}
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for line := range strings.Lines(string(out)) {
		folder, name, found := strings.Cut(strings.TrimSpace(line), "\t")
		if found && !strings.HasSuffix(name, "_test.go") && !filepath.IsAbs(name) { // go makes the main of a test, elsewhere
			files = append(files, filepath.Join(folder, name))
		}
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, path := range slices.Compact(files) {
		if err := hashFile(sum, root, path); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// hashFile adds a file's name, length and content.
func hashFile(sum io.Writer, root, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read what a program is compiled of: %w", err)
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return fmt.Errorf("name what a program is compiled of: %w", err)
	}
	fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	return nil
}
