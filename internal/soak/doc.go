// Command soak plays the long programmes behind Pawl's promises and writes what came of them.
//
//	table ─ pieces ─ a slice of them ─ go test -json ─ a result each, as JSON, in a folder
//	folders of all slices, and results/ ─ RELIABILITY.md, and results/ again
//
// table.go is the only list of what is played. A part that takes long is played in pieces, each
// with seeds of its own; the pieces of all slices add up on the page. A result is written before
// its piece begins, as one that did not come to its end: so whatever kills the soak, it is known
// what was not played. Results are of one program: they add up over days and machines where nothing
// that it is compiled of has changed.
package main
