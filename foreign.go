package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/trust"
	"pawl/internal/words"
)

// foreignFiles are what other agents read in a folder and Pawl does not, though whoever
// put it there may think so. A folder counts where something is in it.
func foreignFiles() []string {
	return []string{
		".claude/commands", ".claude/skills", ".claude/settings.json", ".claude/settings.local.json", "CLAUDE.local.md", // Claude Code
		".pawl/commands", ".pawl/skills", ".agents/skills",
		".cursorrules", ".cursor/rules", ".cursor/mcp.json", // Cursor
		".github/copilot-instructions.md", ".github/instructions", ".github/prompts", ".vscode/mcp.json", // Copilot
		"GEMINI.md", ".gemini/settings.json", // Gemini CLI
		".codex/config.toml", "AGENTS.override.md", // Codex
		".aider.conf.yml", "opencode.json", "opencode.jsonc", ".opencode", "crush.json", ".crush.json",
		".windsurfrules", ".windsurf/rules", ".clinerules", ".roo/rules", ".goosehints", ".junie/guidelines.md", ".kiro/steering",
		".amazonq/rules", ".continue/rules", "AGENT.md",
	}
}

// foreignIn are those that a folder has. None is opened but folders, to see whether they
// are empty.
func foreignIn(folder string) (found []string) {
	for _, name := range foreignFiles() {
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

// empty says that nothing is in a folder, or nobody can say.
func empty(folder string) bool {
	open, err := os.Open(folder)
	if err != nil {
		return true
	}
	defer open.Close()
	names, _ := open.Readdirnames(1)
	return len(names) == 0
}

// foreign says in one line which of them the folder has and was not told of yet, once;
// empty where there is none.
func (h *house) foreign(ctx context.Context) string {
	found := foreignIn(h.World.Folder)
	if len(found) == 0 {
		return ""
	}
	name := trust.Folder{Path: h.World.Folder}.Name("")
	fact := "foreign:" + strings.TrimPrefix(name, "trust:")
	known, err := h.Store.Fact(ctx, fact)
	if err != nil {
		slog.Warn("look up which files were named", "error", err)
		return ""
	}
	told := strings.Split(known, "\n")
	news := slices.DeleteFunc(slices.Clone(found), func(one string) bool { return slices.Contains(told, one) })
	if len(news) == 0 {
		return ""
	}
	if err := h.Store.SetFact(ctx, fact, strings.Join(append(told, news...), "\n")); err != nil {
		slog.Warn("remember which files were named", "error", err)
	}
	return saysForeign(news)
}

func saysForeign(names []string) string {
	return fmt.Sprintf("not used by Pawl: %s; it reads AGENTS.md, else CLAUDE.md, .mcp.json, .pawl/config.toml, .pawl/agents and .claude/agents (shown once)", words.List(names))
}
