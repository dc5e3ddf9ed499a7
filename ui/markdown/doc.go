// Package markdown lays out Markdown by models for a screen: lines of spans, each a clean text
// and its meaning. Package draw chooses the colours and weights.
//
//	sanitize.Text ──► goldmark's parser ──► a tree of places in the text
//	                                           │
//	   blocks (block.go, list.go, code.go, table.go): each with a lead, which is
//	   what comes before its lines (lead.go): a bar, a bullet, room
//	                                           │
//	   words in it (inline.go) ──► runs ──► wrap ──► lines of spans
//
// Rules: nothing that was written is hidden except Markdown's own signs, the language of a
// fence, and links to anchors in the same text. HTML, entities and link definitions are shown as
// text, and an address follows the words of its link. A line does not depend on anything before
// the last blank line outside of a list, so an answer can be drawn in pieces while it grows
// (stable, in ui/transcript). A span is part of the source, a sign of ours, or was sanitised
// again: none is made from a plain string.
package markdown
