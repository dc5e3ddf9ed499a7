// Package host drives sessions for those who use them: screens on the terminals that fronts have
// lent, programs on a socket, one answer without a screen, an editor.
//
//	Screen ─► app.Open, or another host drives it: Go, and the front attaches there
//	            └─► host: listens on the session's socket
//	                  front ─► show ─► ui.Run, a goroutine each ─► leave: what follows its end
//	                  program ─► talk ─► headless.Serve
//	                  state: what runs; no screen and nothing that works ─► finish ─► Close
//	Detached ─► the same, without a first screen
//	Fleet ─► ui/fleet over what the database and the hosts say ─► Go: to one of the sessions
//	Print  ─► the prompt: words and standard input ─► app.Open ─► headless.Run ─► exit code;
//	            with a host beside it for all others, or over the socket of the one that has the session
//	Editor ─► acp.Serve ─► app.Open for each session that the editor asks for, with a host beside each
//	Replay ─► stored.Open ─► ui.Run over a recording
//
// What a screen leaves for follows from how it ended: detached and hung up, the session goes on
// while something works in it; quit, what runs is stopped; another session, the front is told which.
// A session that another process drives is never opened twice: the store's lock decides, and the
// socket of whoever has it is where everybody goes.
package host
