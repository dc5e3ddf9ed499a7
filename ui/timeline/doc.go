// Package timeline shows a session over time: an axis that leaves out what nothing ran
// in, its ticks, a lane of marks for each session, folded of all records, and the cursor
// that goes from mark to mark.
package timeline
