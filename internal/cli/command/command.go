package command

import (
	"fmt"

	"pawl/internal/system"
)

// The groups of commands, as help lists them.
const (
	GroupSessions = "sessions"
	GroupSetup    = "setup"
	GroupMore     = "more"
)

// JSONUsage explains --json, which several commands have.
const JSONUsage = "For programs: one JSON object."

// End is how a command ended that was run. Any other error of a command is cobra's, about the words.
type End struct {
	Code int
	Err  error // nil: the command has said all there is to say
}

func (e *End) Error() string { return fmt.Sprintf("exit code %d: %v", e.Code, e.Err) }

// Exit is what a command returns to cobra: its exit code, and what went wrong.
func Exit(code int, err error) error {
	if code == system.ExitDone && err == nil {
		return nil
	}
	return &End{code, err}
}
