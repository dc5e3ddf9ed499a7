package mcp

// State is the state of a server.
type State string

// The states, a closed set.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Down     State = "down" // it failed to start, or has ended
)

// Status describes one server. Its texts may hold anything: pass them through the sanitiser
// before showing them.
type Status struct {
	Name  string
	From  string // the file that configures it
	State State
	Tools int // how many of its tools models can use
	// Prompts and Resources are how many of them people can use.
	Prompts, Resources int
	// Tasks names the tools that can only be called as tasks, which are left out.
	Tasks []string
	// Noise is how many lines on its standard output were not messages, and First the first of
	// them.
	Noise int
	First string
	// Missed: a run has started without its tools, because it was still starting.
	Missed bool
	Why    string // why it is down or, while it restarts, was: one line
	Said   string // the newest line of its standard error
	// Login is the command that logs in to it, if it is down for want of that.
	Login string
}
