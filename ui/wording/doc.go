// Package wording says in words, for the whole screen alike, what a run is called, how it
// stands, what ended it and who decided about its calls.
package wording
