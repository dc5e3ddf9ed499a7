// Package handover is what a front and a host say to each other: how the process at a terminal
// lends that terminal to the process that drives a session, and what each of them does for the
// other while it is lent.
//
//	front                                         host
//	  │ ── attach: descriptors, size, variables ──► │ a screen on them
//	  │ ◄──────────────────────────────── shown ─── │ from here on the terminal's modes are changed
//	  │ ── size, signal ──────────────────────────► │
//	  │ ◄── suspend, edit: what needs the terminal's own session ── resumed, edited ──► │
//	  │ ◄── say: a line for standard error ──────── │
//	  │ ◄── end: the exit code │ go: another session on the same terminal
//
// Each of them may be gone at any time. A front that hears no end puts the terminal right and says
// so; a host whose front is gone does the same, for the shell is about to write its prompt.
package handover
