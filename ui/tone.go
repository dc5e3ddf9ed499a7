package ui

// tone is how much a note wants to be seen.
type tone int

const (
	quiet tone = iota
	caution
	failure
)
