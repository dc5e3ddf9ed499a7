// Package words writes durations, counts and sizes as people read them, cuts texts to a
// length, and finds the name that a mistyped one was meant to be.
package words
