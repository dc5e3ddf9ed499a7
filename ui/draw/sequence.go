package draw

// Sequence is what a terminal is told past the screen. It is a type of its own, so
// that no text becomes one by accident: it is written here, or made of a
// sanitize.Text by a conversion that a test counts (doors_test.go).
type Sequence string
