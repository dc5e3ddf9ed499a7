package mcp

// State is how a server is.
type State string

// The states, a closed set.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Down     State = "down" // it did not start, or has ended
)

// Status is one server, for people. Its texts may hold anything: whoever shows them
// passes them through the sanitiser.
type Status struct {
	Name  string
	From  string // the file that names it
	State State
	Tools int // that it offers, and models can use
	// Tasks are those that can be called as tasks alone, by the server's names: they
	// are left out.
	Tasks []string
	// Noise is how many lines on its standard output were no messages, and First the
	// first of them.
	Noise int
	First string
	// Missed says that a run has begun without its tools, as it was still starting.
	Missed bool
	Why    string // it is down or, while it starts again, was: in one line
	Said   string // the newest line of its standard error
}
