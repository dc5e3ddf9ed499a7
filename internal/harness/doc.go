// Package harness plays the program for tests that know nothing of its inside: it builds Pawl,
// puts it on a terminal that an emulator draws, types as a person does, and reads what comes.
//
//	NewStage: a checkout, a home, a model on loopback ─► Open: the program on a terminal
//	  ─► Type, Prompt ─► See waits until the screen shows what the test says ─► Quit
//	                 └► Run, Prompted: the same without a terminal
//
// What it waits for it waits for by events, modeltest.Patience at most. It imports nothing of the
// product. Tests that use it stand in the root of the repository while they run: Main sees to it.
package harness
