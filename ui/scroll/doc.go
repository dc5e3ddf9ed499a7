// Package scroll is where a view stands in a column of blocks that may be long: it draws
// those that are seen and no others.
package scroll
