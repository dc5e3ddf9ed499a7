// Package sanitize is the one door through which text of models, tools, files,
// hooks and servers reaches a person: a terminal, a title, a log, a file for
// reading. It is a whitelist, and the last step before the text is wrapped and
// drawn.
//
//	raw string ──► Clean or Line ──► Text ──► wrap, colour ──► the screen
//	raw string ──► Paste ──► Clipping ──► the clipboard
//
// What is drawn is a Text, never a string, so a place that forgot the sanitiser
// does not compile.
package sanitize
