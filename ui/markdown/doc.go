// Package markdown lays out what models write for a screen: lines of spans, each a
// clean text and how it is meant. Which colours and weights that is, ui decides.
//
//	sanitize.Text ──► goldmark's parser ──► a tree of places in the text
//	                                           │
//	   blocks (block.go, list.go, code.go, table.go): each lead by what stands
//	   before its lines (lead.go): a bar, a bullet, room
//	                                           │
//	   words in it (inline.go) ──► runs ──► wrap ──► lines of spans
//
// Rules of this room. Nothing that was written is hidden but the signs of Markdown, the
// language of a fence and a link to a mark in the same text: HTML, entities and
// definitions of links are text, an address stands behind the words of its link.
// What a line says depends on nothing that stands before the last blank line
// outside of a list, so that an answer can be drawn in pieces while it grows
// (stable, in ui). A span is a part of the text it was made from, a sign of ours or went
// through the sanitiser again: none is made of a string.
package markdown
