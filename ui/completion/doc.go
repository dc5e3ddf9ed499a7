// Package completion is what a composer is offered while something is typed: files behind
// @, commands behind /, the words of a command, and earlier prompts. What is taken of it
// is its caller's to write.
package completion
