package project

import (
	"fmt"
	"os"
	"path/filepath"

	"pawl/internal/words"
)

// knownForeign lists files that other agents read and Pawl does not, though their authors may
// expect it. A folder counts if it is not empty.
func knownForeign() []string {
	return []string{
		".claude/settings.json", ".claude/settings.local.json", ".claude/rules", // Claude Code
		".cursorrules", ".cursor/rules", ".cursor/mcp.json", // Cursor
		".github/copilot-instructions.md", ".github/instructions", ".github/prompts", ".vscode/mcp.json", // Copilot
		"GEMINI.md", ".gemini/settings.json", // Gemini CLI
		".codex/config.toml", // Codex
		".aider.conf.yml", "opencode.json", "opencode.jsonc", ".opencode", "crush.json", ".crush.json",
		".windsurfrules", ".windsurf/rules", ".clinerules", ".roo/rules", ".goosehints", ".junie/guidelines.md", ".kiro/steering",
		".amazonq/rules", ".continue/rules", "AGENT.md",
	}
}

// ForeignFiles lists the files for other agents that a folder has. It opens none but folders, to
// see whether they are empty.
func ForeignFiles(folder string) (found []string) {
	for _, name := range knownForeign() {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			found = append(found, name)
		case info.IsDir() && !empty(path):
			found = append(found, name)
		}
	}
	return found
}

// empty reports that a folder is empty or cannot be read.
func empty(folder string) bool {
	open, err := os.Open(folder)
	if err != nil {
		return true
	}
	defer open.Close()
	names, _ := open.Readdirnames(1)
	return len(names) == 0
}

// ForeignWords says in one line that files are not used, and which are.
func ForeignWords(names []string) string {
	return fmt.Sprintf("not used by Pawl: %s; it reads AGENTS.md, else CLAUDE.md, .mcp.json, .pawl/config.toml, and agents, commands and skills of .pawl and .claude (shown once)", words.List(names))
}
