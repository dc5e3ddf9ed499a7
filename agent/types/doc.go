// Package types finds the subagent types of a folder: the built-in ones, the user's files
// and the project's. A type is a Markdown file. Its frontmatter says what the type is for
// and what it may use; the body holds its instructions.
//
//	built in ◄── config folder/agents/*.md ◄── .claude/agents/*.md ◄── .pawl/agents/*.md
//	             the user's: a type of the      the project's: a type of a name that is
//	             same name takes its place      there already narrows it, never widens it
//
// A project's types may be written by anybody. Found keeps them apart too, with the text
// of their files, so that internal/app can ask before they are used.
//
// If two files of the project define one name, the one in .pawl counts. A file that cannot
// be used affects no other, and gives a Problem. What is valid but has no effect here
// gives a Note.
//
//	file ─► readFile: regular, bounded, UTF-8 ─► split: frontmatter, body
//	     ─► fields: YAML, with lines ─► form: the keys of Pawl, or of Claude Code
//	     ─► agent.Type ─► narrow, if a type of the name exists
package types
