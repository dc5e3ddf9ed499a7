// Package trace writes a session as Chrome's trace events, for Perfetto.
//
// A trace is drawn while the records pass. What is open is held, run by run, and nothing
// that is over:
//
//	records ──► lifecycle.Spans ──► slices: begin … end, nested on the threads of their run
//	   │                      └───► instants
//	   ├──► arrows, from the slice that is open where one begins to the one where it ends
//	   └──► curves
package trace
