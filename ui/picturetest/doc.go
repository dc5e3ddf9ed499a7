// Package picturetest is for tests of what people see: the cells of a terminal as
// a value, as text that can be reviewed and read back, and as pictures.
//
//	sequences ──► emulator ──► Screen ──► Text, Styles   what a golden file holds
//	                             ▲  └───► SVG ──► Album   how a change of it looks
//	          golden files ──► Read
package picturetest
