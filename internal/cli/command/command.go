package command

// The groups of commands, as help lists them.
const (
	GroupSessions = "sessions"
	GroupSetup    = "setup"
	GroupMore     = "more"
)

// JSONUsage explains --json, which several commands have.
const JSONUsage = "For programs: one JSON object."
