// Package stories plays the program as a person meets it: in a terminal, through a pipe, from
// an editor, with models, servers and disks that misbehave. It has no source, only tests, and
// imports nothing of the product: what it knows of Pawl is what anybody can see.
//
//	harness.NewStage: a checkout, a home, a model on loopback ─► Open: the program in a terminal
//	  ─► keys are typed, the screen is read until it shows what the story says
//
// What needs no terminal stands in testdata/script, as the commands that a person would type.
package stories
