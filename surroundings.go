package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"pawl/agent"
)

// maxInstructions bounds what of a project's instructions goes into every prompt,
// in bytes: about 10,000 tokens.
const maxInstructions = 40_000

// surroundings are what a model is told of a folder. Git is read from its files,
// never run: a checkout's own settings can make git run programs.
func surroundings(folder string) agent.Surroundings {
	s := agent.Surroundings{
		Today: time.Now(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Folder: folder,
	}
	if branch := gitBranch(folder); branch != "" {
		s.Git = "a checkout, on " + branch
	}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if text := readSome(folder, name, maxInstructions); strings.TrimSpace(text) != "" {
			s.Instructions, s.Source = text, name
			break
		}
	}
	return s
}

// gitBranch is the branch, or the short commit, that a folder's checkout is on;
// empty where there is none.
func gitBranch(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if head := readSome(dir, gitHead(dir), 1024); head != "" {
			head = strings.TrimSpace(head)
			if branch, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
				return "branch " + branch
			}
			return "commit " + head[:min(12, len(head))]
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// gitHead is where a checkout keeps its HEAD: in .git or, in a worktree, where
// the .git file points, if that is below the folder.
func gitHead(dir string) string {
	pointer := readSome(dir, ".git", 4096)
	if target, ok := strings.CutPrefix(strings.TrimSpace(pointer), "gitdir: "); ok {
		if relative, err := filepath.Rel(dir, target); err == nil {
			return filepath.Join(relative, "HEAD")
		}
	}
	return filepath.Join(".git", "HEAD")
}

// readSome reads the beginning of a regular file of a folder; nothing where there
// is none or it leads out of the folder.
func readSome(folder, name string, limit int64) string {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return ""
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(text), "�")
}
