// Package lanes computes the layout of a session's timeline for the screen and the exported
// page: the stretches in which something ran, round ticks, and a bounded number of marks in
// each lane.
//
//	runs ──► Stretch ──► Scale ── what stands where, and where ticks stand
//	records ──► lifecycle.Spans ──► Mark ──► Lane ── marks of one kind that stand close are one
//
// The printers are ui/timeline, in columns, and export/html, in parts of a hundred. They
// say how long a pause stays on their axis, how wide it is and in which words a mark is
// told.
package lanes
