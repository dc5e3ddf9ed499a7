// Package trace writes a session as Chrome's trace events, for Perfetto.
//
// It writes while it reads the records. It holds what is open in each run, and nothing that is
// over:
//
//	records ──► lifecycle.Spans ──► slices: begin … end, nested on the threads of their run
//	   │                      └───► instants
//	   ├──► arrows, from the slice that is open where one begins to the one where it ends
//	   └──► counters
package trace
