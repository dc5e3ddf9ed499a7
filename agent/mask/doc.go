// Package mask hides secrets in what leaves Pawl for good or for others to read:
// exports, streams, the log, the file of crashes, errors, reports. What is masked
// stays readable around them.
//
//	values that are known ──┐
//	                        ├─► spans ─► a text with [masked] in their places
//	shapes of known makers ─┘
//
//	Mask.Text    a whole text
//	Mask.JSON    the strings of a JSON value, and the values of fields named as secrets
//	Mask.Encode  the same for a value of ours
//	Stream       a text that comes in pieces: a secret may be cut anywhere
//	Mask.Writer  lines for people to keep: each write is a whole text
//
// A shape is the beginning that a maker gives its tokens, or the name in front of a
// value. Nothing is guessed from how random a text looks: that hides hashes and
// identifiers, and lets passwords through.
package mask
