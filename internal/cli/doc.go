// Package cli says what the command line can be, from the one model of it that the
// parser works by: what can stand at a place, for shells to complete, and the manual
// page. So neither can name a flag that there is not, or forget one.
//
//	shell, at Tab ──► its script ──► pawl complete -- WORDS…
//	                                    │ Complete walks the model along the words
//	                                    │ Values gives what only the program knows:
//	                                    │ sessions, models, types
//	                                    └ a line each, or ":files": the shell knows those
package cli
