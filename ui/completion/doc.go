// Package completion offers candidates while something is typed: files after @, commands
// after /, the arguments of a command, and earlier prompts. The caller writes the chosen one
// into the composer.
package completion
