//go:build !linux

package stories

// No command is to intrude here: how its family is told apart is Linux's.
const intruding = "intrude"

func intrude([]string) {}
