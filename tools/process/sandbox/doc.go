// Package sandbox decides what a command may do: where it may write, what it may not change
// even there, and whether it has a network. It starts and enforces nothing: package process
// hands the Confinement to the helper process, which enforces it.
//
// A command could prepare a path through which the next one escapes, so no path in a folder
// that commands can write to is trusted as it is (findCheckout, reached, settle).
package sandbox
