// Package lanes lays out over time what the runs of a session did, for every picture that
// is drawn of it: the stretches in which something ran, round ticks on them, and a bounded
// number of marks a lane.
//
//	runs ──► Stretch ──► Scale ── what stands where, and where ticks stand
//	records ──► lifecycle.Spans ──► Mark ──► Lane ── marks of one kind that stand close are one
//
// The printers are ui/timeline, in columns, and export/html, in parts of a hundred. They
// say how long a pause stays on their axis, how wide it is and in which words a mark is
// told.
package lanes
