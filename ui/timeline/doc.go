// Package timeline shows a session over time: an axis that leaves out times in which nothing
// ran, its ticks, and a lane of marks for each session, folded from all records.
package timeline
