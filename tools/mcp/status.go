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
	Tools int    // that it offers
	Why   string // it is down or, while it starts again, was: in one line
	Said  string // the newest line of its standard error
}
