// Package screens is what several screens of one session in one process have in common. Each is a
// program of its own; here they meet.
//
//	Set ─► Join ─► Seat: its drafts ─► Put ─► Save: those of all seats, a session at a time
//	                     its messages ─► Sent, TakesBack: one of them gets a message back
//	                     Tell ─► the others' Bell ─► News
package screens
