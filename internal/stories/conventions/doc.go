// Package conventions plays commands and skills through the program: those of well-known
// repositories, written anew in the same form (testdata), all forms in all places, and hostile ones.
// It has no source, only tests.
package conventions
