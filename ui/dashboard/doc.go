// Package dashboard shows every run of a session at once: over time, in a table, and the
// selected one in full. One row, and one lane, is one session: the root, a subagent or a
// shell, with its newest run; its figures are of all its runs.
//
//	records ──► Log ──► timeline.History, and of each session its todo list and its files
//	                        │
//	runs, cards ──► rows ──► filter ──► order ──► the rows that are kept, until a record comes
//	                                                │ the same for both
//	                        timeline.View ──► lanes │ table, only the rows in sight
//	                                                └─ the selected one ──► Detail
//
// What its keys do to a run is the model's.
package dashboard
