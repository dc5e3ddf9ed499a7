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
package headless
