// Package search looks through the files of a workspace for lines that match, with ripgrep where
// that is quicker: it tells which files are worth reading, and never what is in them.
package search
