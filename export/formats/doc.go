// Package formats names the ways in which a session can be written down: what a flag, a
// typed command and a writer share. It imports nothing of ours, so that the screen may
// import it.
package formats
