// Package types finds the subagent types of a folder: what is built in, the user's
// own files and the project's. A type is a Markdown file: frontmatter says what it
// is for and what it may use, the rest are its instructions.
//
//	built in ◄── config folder/agents/*.md ◄── .claude/agents/*.md ◄── .pawl/agents/*.md
//	             the user's: a type of the      the project's: a type of a name that is
//	             same name takes its place      there already narrows it, never widens it
//
// A project's types are somebody else's words: Found has them apart too, with what
// they were read from, for main to ask about before they are used.
//
// Of two files of the project with one name that in .pawl counts. A file that
// cannot be used costs itself alone and gives a Problem; what is well formed and
// means nothing here gives a Note.
//
//	file ─► whole: regular, bounded, UTF-8 ─► split: frontmatter, body
//	     ─► fields: YAML, with lines ─► form: the words of Pawl, or of Claude Code
//	     ─► agent.Type ─► narrow, where one of the name is there
package types
