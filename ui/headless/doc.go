// Package headless is the front end without a screen: one prompt in, one answer out, for scripts
// and other programs.
//
//	Do(Send) ──► Watch ──► ledger folds the records ──► settled?
//	                          │                            │ no: go on watching
//	                          └── one line for each        └ yes: text or JSON, exit code
//	                              subagent on standard error
//
// It is settled when nothing runs, nothing waits for a slot, and no pending notification can
// still wake the parent. So background subagents are waited for, and none is left behind
// silently. Shells that are left alone are stopped: a server would never end.
//
// # A stream
//
// With Options.Stream the log is written as it happens. The feed has a cursor of its own, so a
// reader that is slow or does not read holds up only its own lines; what it has not read stays
// in the log.
//
//	                      ┌─ Watch ──► feed: records, partial text ──► lines
//	Route ── one log ─────┤              ▲ replies, idle, the result
//	                      └─ Watch ──► watch: the ledger, settled?
//	                                     ▲
//	lines of another program ► readInput ┘ readOrder: a command for Route.Do
//
// While the other program may say more nothing is settled: it gets an idle line when nothing
// goes on. The end of its input ends the conversation and denies all open questions. If it does
// not read replies its input is read no further than a few lines: that, and one line of partial
// text for each run, is all that is ever kept in memory.
//
// # A client
//
// Serve is for one of several programs that have connected to a session. It reads the same lines
// and two more, watch and status, writes nothing but replies until it is asked to watch, and
// decides nothing: what a client leaves undone, and that it goes, changes nothing.
//
//	                      ┌─ Watch, once it watches ──► feed ──► lines
//	Route ── one log ─────┤                              ▲ replies, status, idle, the result
//	                      └─ Watch ──► client: the ledger, at rest?
//	                                     ▲
//	lines of the client ──► readInput ───┘
package headless
