// Package timeline shows a session over time: an axis that leaves out times in which nothing
// ran, its ticks, a lane of marks for each session, folded from all records, and the cursor that
// moves from mark to mark.
package timeline
