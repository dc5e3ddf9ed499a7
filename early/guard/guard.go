// Package guard is the process around Pawl.
package guard
