// Package sanitize is the only way for text of models, tools, files, hooks and servers to
// reach a person: a terminal, a title, a log, a file for reading. It is a whitelist, and
// the last step before text is wrapped and drawn.
//
//	raw string ──► Clean or Line ──► Text ──► wrap, colour ──► the screen
//	raw string ──► Paste ──► Clipping ──► the clipboard
//
// Drawing takes a Text, never a string, so code that forgets the sanitizer does not compile.
package sanitize
