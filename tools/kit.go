package tools

import "pawl/agent"

// Equipment is what the working tools of one run work with.
type Equipment struct {
	Workspace *Workspace
	Launcher  *Launcher
	Web       *Web
	Todo      *TodoList
}

// Working are the tools that do the work of a folder, for every session alike.
func Working(e Equipment) []agent.Tool {
	w := e.Workspace
	return []agent.Tool{
		Read(w), Write(w), Edit(w), Glob(w), Grep(w, e.Launcher), List(w), Shell(w, e.Launcher), Fetch(e.Web), Todo(e.Todo),
	}
}

// Delegation are the tools of a parent. types are the subagent types it can
// choose from, entries reads a subagent's transcript.
func Delegation(types []agent.Type, entries Entries) []agent.Tool {
	return []agent.Tool{Agent(types), Task(types), AgentList(), AgentOutput(entries), AgentSend(), AgentStop()}
}

// ForType leaves a subagent the tools that its type allows.
func ForType(kind agent.Type, all []agent.Tool) []agent.Tool {
	var allowed []agent.Tool
	for _, tool := range all {
		if kind.Allows(tool.Spec.Name) {
			allowed = append(allowed, tool)
		}
	}
	return allowed
}
