// Package cmp stands in for the library of that name: see slim/README.md. It compares
// nothing, and takes nothing for equal.
package cmp

// Option says how values are to be compared.
type Option any

// Options are several.
type Options []Option

// Comparer would be an option that compares with f.
func Comparer(f any) Option { return f }

// Diff says, whatever x and y are, that nobody looked.
func Diff(_, _ any, _ ...Option) string {
	return "not compared: go-cmp is not part of this program"
}
