package remote

// nameOf is always empty: Windows has no signals.
func nameOf(int) string { return "" }
