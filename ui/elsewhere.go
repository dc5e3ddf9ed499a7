package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// elsewhere says what leads here to what a command of that name does in other programs.
var elsewhere = map[string]sanitize.Text{
	"/approvals": "/permissions shows the mode and the rules",
	"/bashes":    "↓ leads to the commands that run in the background",
	"/bug":       "pawl doctor shows what is wrong here",
	"/cancel":    "esc, ctrl+c or /stop stops what is running",
	"/config":    "settings are in config.toml; pawl doctor shows where",
	"/context":   "/status shows how full the model's context is",
	"/continue":  "/sessions lists the sessions of this folder",
	"/doctor":    "pawl doctor, in a shell, looks at everything",
	"/editor":    "ctrl+g opens your own editor",
	"/history":   "ctrl+r searches your earlier prompts",
	"/hooks":     "pawl doctor, in a shell, lists the hooks",
	"/init":      "ask for an AGENTS.md; Pawl reads it when it starts",
	"/keys":      "/help lists all keys",
	"/login":     "keys come from variables (ANTHROPIC_API_KEY, …); pawl doctor says which are set",
	"/logout":    "keys come from variables (ANTHROPIC_API_KEY, …); pawl doctor says which are set",
	"/memory":    "lasting instructions go in AGENTS.md or CLAUDE.md",
	"/mode":      "shift+tab changes the permission mode, /permissions lists all",
	"/models":    "/model lists them",
	"/plan":      "shift+tab leads to plan mode",
	"/ps":        "/agents lists the subagents, ctrl+t shows what ran when",
	"/q":         "/quit quits",
	"/reset":     "/clear begins a new session",
	"/review":    "ask for a review in your own words",
	"/rewind":    "esc esc lists your earlier prompts; git has what was committed",
	"/sandbox":   "pawl doctor, in a shell, shows what restricts commands",
	"/save":      "sessions are saved as they go; /export writes one to a file",
	"/settings":  "settings are in config.toml; pawl doctor shows where",
	"/share":     "/export html writes one page",
	"/skills":    "Pawl has no skills; subagent types are in .pawl/agents",
	"/task":      "/agents lists the subagents; ask for one in your own words",
	"/tasks":     "/agents lists the subagents, ctrl+t shows what ran when",
	"/undo":      "esc esc lists your earlier prompts; git has what was committed",
	"/usage":     "/cost shows it, run by run",
	"/version":   "pawl --version, in a shell, prints it",
	"/vim":       "ctrl+g opens your own editor",
}

// diffTyped says where the changes are: there is no list of them yet.
func (m *model) diffTyped(string) tea.Cmd {
	m.say(draw.Quiet, "there is no list of all changes: ctrl+o opens each one in place, git diff shows them together")
	return nil
}

// statusTyped says in what state the session is.
func (m *model) statusTyped(string) tea.Cmd {
	used := m.runs.Spent()
	status := draw.Sprintf("model %s · permission mode %s · %s · %s tokens", sanitize.Line(m.options.Model), m.options.Mode, sanitize.Line(m.options.Folder), draw.Tokens(used.Tokens()))
	for _, more := range []sanitize.Text{draw.Dollars(used.Cost), m.fullness(), draw.Sprintf("%s", words.CountOf(m.runs.Working(), "run active", "runs active")), draw.Sprintf("session %s", m.runs.Root())} {
		if more != "" {
			status = either(status, more)
		}
	}
	m.remark(status)
	return nil
}
