// Package frontmatter reads the Markdown files with frontmatter by which people extend Pawl: agent
// types, commands, skills. It knows folders, files and keys, and nothing of what a key means.
//
//	Source.List ─► Source.ReadFile ─► Split ─► Parse, else ParseLoosely ─► []Field
package frontmatter
