package commands

import _ "embed"

//go:embed init.md
var initText string

// Builtin are Pawl's own commands that are texts for a model.
func Builtin() []Command {
	return []Command{{
		Name: "init", Description: "look at this checkout, and write or improve its AGENTS.md", Hint: "[what matters to you]",
		Body: initText, Source: SourceBuiltin, Owner: OwnerPawl,
	}}
}

// ScreenNames are the commands of the screen, which no file can replace.
func ScreenNames() []string {
	return []string{
		"agents", "changes", "clear", "compact", "context", "copy", "cost", "denied", "detach", "diff", "effort", "exit", "export", "fleet", "fork", "help", "mcp", "model",
		"new", "permissions", "quit", "resume", "rewind", "sessions", "split", "status", "stop", "theme", "undo",
	}
}
