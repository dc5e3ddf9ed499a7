package settings

import "pawl/agent/nearest"

// Nearest finds the candidate that somebody most likely meant.
func Nearest(typed string, candidates []string) string { return nearest.To(typed, candidates) }
