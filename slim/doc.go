// Package slim is what stands in for two libraries that glamour, which draws
// Markdown, brings with it: chroma, of which it calls one function, and bluemonday,
// of which it calls another. The real ones read 300 grammars, 70 styles and a
// table of HTML at every start of Pawl, before main: 28 ms of the 42 that a start
// took, and 9 MB. Each folder here is a module of the library's name, with as much
// of its interface as glamour uses; go.mod puts it in the library's place.
//
//	glamour ──► chroma/quick.Highlight ──► chroma: languages, tokens, looks
//	        └─► bluemonday.StrictPolicy ─► nothing to strip: ui hides every < before
package slim
