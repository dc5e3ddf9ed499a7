package tools

import (
	"pawl/agent"
	"pawl/tools/filestore"
	"pawl/tools/outputs"
	"pawl/tools/process"
	"pawl/tools/web"
	"pawl/tools/workspace"
)

// Equipment is what the working tools of one run work with.
type Equipment struct {
	Workspace *workspace.Workspace
	Launcher  *process.Launcher
	Web       *web.Client
	Todo      *TodoList
	Shells    *Shells          // nil where no command can go to the background
	Outputs   *outputs.Store   // where results that are too long for a model are kept whole
	Files     *filestore.Store // where what changed files held is kept
	Watch     WatchCommand     // finds what commands change; nil: nobody does
	Skills    Skills           // those that the run's models are told of
	Outside   []agent.Tool     // those of servers, as they are
	Home      Home             // nil where the session is kept in this very process
	Here      bool             // with Home: commands in the background work in this process all the same
}

// Working are the tools that do the work of a folder, for every session alike.
func Working(e Equipment) []agent.Tool {
	w := e.Workspace
	working := []agent.Tool{
		Read(w), Write(w), Edit(w), Glob(w), Grep(w, e.Launcher), List(w), Shell(w, e.Launcher, e.Watch), Fetch(e.Web), Todo(e.Todo),
	}
	if e.Shells != nil {
		working = append(working, ShellOutput(e.Shells), ShellKill(e.Shells))
	}
	if len(e.Skills.Names) > 0 {
		working = append(working, LoadSkill(e.Skills, e.Home))
	}
	if e.Home != nil {
		var here *Shells
		if e.Here {
			here = e.Shells
		}
		working = sentHome(e.Home, here, working)
	}
	return append(working, e.Outside...)
}

// Delegation are the tools of a parent. types are the subagent types it can
// choose from, entries reads a subagent's transcript, places is where they can work.
func Delegation(types []agent.Type, entries Entries, places Places) []agent.Tool {
	return []agent.Tool{Agent(types, places), Task(types, places), AgentList(), AgentOutput(entries), AgentSend(), AgentStop()}
}

// WorkingNames are the names of the working tools.
func WorkingNames() []string { return append(namesOf(Working(Equipment{})), skillName) }

// DelegationNames are the names of the tools of a parent.
func DelegationNames() []string { return namesOf(Delegation(nil, nil, Places{})) }

func namesOf(all []agent.Tool) []string {
	var names []string
	for _, tool := range all {
		names = append(names, tool.Spec.Name)
	}
	return names
}

// skillName is the tool of skills, which only folders with skills have.
const skillName = "skill"

// ofShell says that a tool is nothing but the other end of shell's background.
func ofShell(tool string) bool { return tool == "shell_output" || tool == "shell_kill" }

// ForType leaves a subagent the tools that its type allows. A type that names shell
// has those of its background too, and one that names skills the tool for them.
func ForType(kind agent.Type, all []agent.Tool) []agent.Tool {
	var allowed []agent.Tool
	for _, tool := range all {
		name := tool.Spec.Name
		if kind.AllowsServer(tool.Server) && (kind.Allows(name) || ofShell(name) && kind.Allows("shell") || name == skillName && len(kind.Skills) > 0) {
			allowed = append(allowed, tool)
		}
	}
	return allowed
}
