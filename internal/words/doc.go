// Package words writes durations, counts and sizes for people, cuts texts to a length, and finds
// the name that a mistyped one was meant to be.
package words
