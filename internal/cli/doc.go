// Package cli turns the words of a command line into commands, and prints their answers.
//
//	words ─► the parser ─► a command, filled in ─► Run ─► internal/app, front, doctor, stored
//	  ─► an exit code, and one line on standard error where something went wrong
//
// What the command line can be comes from the one model of it that the parser works by:
// what can stand at a place, for shells to complete, and the manual page. So neither can
// name a flag that there is not, or forget one.
//
//	shell, at Tab ──► its script ──► pawl complete -- WORDS…
//	                                    │ Complete walks the model along the words
//	                                    │ Values gives what only the program knows:
//	                                    │ sessions, models, types
//	                                    └ a line each, or ":files": the shell knows those
package cli
