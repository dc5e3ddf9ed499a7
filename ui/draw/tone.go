package draw

// Tone is how urgent a note is.
type Tone int

// The tones, least urgent first.
const (
	Quiet Tone = iota
	Caution
	Failure
)
