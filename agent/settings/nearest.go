package settings

import "pawl/agent/nearest"

// Nearest finds the candidate that somebody most likely meant; empty where none is near.
func Nearest(typed string, candidates []string) string { return nearest.To(typed, candidates) }

// DidYouMean is the end of a line about a word that is none: what was most likely meant;
// empty where nothing is near.
func DidYouMean(typed string, candidates []string) string { return nearest.Hint(typed, candidates) }
