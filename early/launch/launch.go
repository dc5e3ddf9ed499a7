// Package launch is the process around what a tool starts.
package launch
