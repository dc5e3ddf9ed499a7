package draw

// Sequence is a control sequence for the terminal. It has its own type so that no text becomes
// one by accident: it is a constant, or made from a sanitize.Text by a conversion that a test
// counts (doors_test.go).
type Sequence string
