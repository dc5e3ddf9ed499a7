// Package timeline lays a session out over time: an axis that leaves out what nothing ran
// in, its ticks, and a lane of marks for each session, folded of all records.
package timeline
