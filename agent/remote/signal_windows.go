package remote

// signalName is always empty: Windows has no signals.
func signalName(int) string { return "" }
