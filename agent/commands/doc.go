// Package commands reads the commands that people type behind a slash: Markdown files of a project
// and of the user, Pawl's own, and what such a command becomes for a model.
//
//	Load: files ─► Found (Commands, problems, notes)
//	Parse: "/frontend:test a b" ─► name, arguments ─► Find ─► Command
//	Command.Expand: its text with the arguments, files and outputs of commands in their places
package commands
