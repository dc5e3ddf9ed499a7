package process

import "pawl/lifecycle"

// Marked is a process that a tool of Pawl's started, by its mark in the
// environment that it was started with.
type Marked struct {
	PID  int
	Run  lifecycle.RunID // the one that it was started for, or by whose program
	Name string          // as the kernel has it: anybody's text
}
