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

// programs are what people install: results that were taken of the same ones add up, whatever has
// changed in tests and pages since.
var programs = []string{".", "./internal/server"}

// filesOfEach has go list print what a package of the module is compiled of, a file a line.
const filesOfEach = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
	`{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`

// programOf is a hash of all that the programs of a module are compiled of on this system.
func programOf(ctx context.Context, root string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-f", filesOfEach}, programs...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask go what the programs in %s are compiled of: %w", root, err)
	}
	files := append(strings.Fields(string(out)), filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum"))
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
		return fmt.Errorf("read what the programs are compiled of: %w", err)
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return fmt.Errorf("name what the programs are compiled of: %w", err)
	}
	fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	return nil
}
