// Package headless is the front end without a screen: one prompt in, one answer
// out, for scripts and other programs.
//
//	Do(Send) ──► Watch ──► ledger folds the records ──► settled?
//	                          │                            │ no: go on watching
//	                          └── one line a subagent      └ yes: text or JSON, exit code
//	                              on standard error
//
// It is settled when nothing runs, nothing waits for a slot, and no notification
// is owed that could still wake the parent. So background subagents are drained
// before the program ends, and none is left behind in silence. Shells that alone are
// left are stopped: a server would never end.
//
// # A stream
//
// With Options.Stream the log is written as it happens. The feed has a cursor of its own,
// so a reader that is slow, or asleep, holds back the lines and nothing else; what it
// would have to hold for the reader is in the log.
//
//	                      ┌─ Watch ──► feed: records, partial text ──► lines
//	Route ── one log ─────┤              ▲ replies, idle, the result
//	                      └─ Watch ──► watch: the ledger, settled?
//	                                     ▲
//	lines of another program ──► listen ─┘ readOrder: a command for Route.Do
//
// While the other program may say more nothing is settled: it is told when nothing goes
// on (idle). The end of its input is the end of the conversation, and a no to every
// question that is still asked. Whoever reads no replies is not listened to beyond a few
// lines: that, and one line a run of partial text, is all that is ever held.
package headless
