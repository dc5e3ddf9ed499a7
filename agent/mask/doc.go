// Package mask hides secrets in text that leaves Pawl or that others may read: exports,
// streams, the log, crash files, errors, reports. The text around a secret stays readable.
//
//	known values ───────────┐
//	                        ├─► spans ─► a text with [masked] in their places
//	shapes of known makers ─┘
//
//	Mask.Text    a whole text
//	Mask.JSON    the strings of a JSON value, and the values of fields named as secrets
//	Mask.Encode  a Go value as masked JSON
//	Stream       a text that comes in pieces, where a secret may be cut anywhere
//	Mask.Writer  lines for people, each write a whole text
//
// A shape is the prefix that a maker gives its tokens, or the name before a value. Nothing is
// judged by how random it looks: that would hide hashes and identifiers, and miss passwords.
package mask
