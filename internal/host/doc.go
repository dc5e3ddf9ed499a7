// Package host shows a session to its user: on the screen, as one answer without a screen, or
// in an editor.
//
//	Screen ─► app.Open ─► ui.Run ─► another session, or this one again once it is trusted ─► …
//	Detached ─► app.Open ─► host without a screen, until nothing goes on
//	Print  ─► the prompt: words and standard input ─► app.Open ─► headless.Run ─► exit code, or over the socket of who has it open
//	Editor ─► acp.Serve ─► app.Open for each session that the editor asks for
//	Replay ─► stored.Open ─► ui.Run over a recording
package host
