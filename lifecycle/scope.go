package lifecycle

// Told is a run whose result a tool result gives to the parent's model.
type Told struct {
	Run RunID
	By  Consumer
}

// Scope is a session's authority over its own subagents.
type Scope struct{}
