// Package stories plays the program as a person meets it: in a terminal, through a pipe, from
// an editor, with models, servers and disks that misbehave. It has no source but its harness.
//
//	set: a checkout, a home, a model on loopback ─► start: the program in a terminal of its own
//	  ─► keys are typed, the screen is read until it shows what the story says
//
// Its tests stand in the root of the repository while they run.
package stories
