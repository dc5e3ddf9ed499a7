package project

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pawl/agent/skills"
)

// canRun marks a file that can be run by its mode, in a line of trees.content.
const canRun = "runs"

// scriptEnds are the ends of names of files that a program of their language runs.
var scriptEnds = []string{".sh", ".bash", ".zsh", ".fish", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1", ".bat", ".cmd", ".lua", ".r"}

// besideSkill counts the files below a skill's folder beside its SKILL.md, and those of them that can
// be run. name is the folder as content names it.
func besideSkill(content, name string) (others, scripts int) {
	start := strings.Index(content, name+"/")
	if start < 0 {
		return 0, 0
	}
	for line := range strings.Lines(content[start:]) {
		rest, below := strings.CutPrefix(line, name+"/")
		if !below {
			break // they stand together
		}
		parts := strings.Split(strings.TrimSuffix(rest, "\n"), "\x00")
		if parts[0] == "SKILL.md" {
			continue
		}
		others++
		if len(parts) > 2 && parts[1] == canRun || slices.Contains(scriptEnds, path.Ext(parts[0])) {
			scripts++
		}
	}
	return others, scripts
}

// BesideSkill counts the files below a skill's folder beside its SKILL.md, and those of them that can
// be run.
func (p *Project) BesideSkill(s skills.Skill) (others, scripts int) {
	folder, name := filepath.Split(s.Folder)
	return besideSkill(newTrees().content(folder, name, true), name)
}
